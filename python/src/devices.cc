// nnapi.Device: the devices that the program's --device opens.
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "driver/wrap/checked_objects.h"
#include "driver/wrap/supported_parts.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "nnapi/validate.h"
#include "python/src/bindings.h"
#include "python/src/calls.h"
#include "python/src/errors.h"
#include "python/src/execution.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#endif

namespace nn::python {
namespace {

const DeviceRegistry& registry();

DeviceRegistry makeRegistry() {
    RegistryOptions made;
    made.schemes[std::string(testing::kFaultyScheme)] = [](std::string_view spec) {
        return testing::openFaulty(
                spec, [](const std::string& behind) { return registry().open(behind); });
    };
#ifdef NNAPI_HAS_SERVICE
    service::openAddresses(made);
#endif
    DeviceRegistry registry(std::move(made));
    registerSampleDevices(registry);
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack", [] { return xnnpackDevice(); });
#endif
    return registry;
}

// Never destroyed: calls that were left at ^C may use it while the process ends.
const DeviceRegistry& registry() {
    static const DeviceRegistry& made = *new DeviceRegistry(makeRegistry());
    return made;
}

class PyDevice {
   public:
    explicit PyDevice(SharedDevice device) : mDevice(std::move(device)) {}

    const SharedDevice& get() const {
        if (mDevice == nullptr) raise(ErrorStatus::INVALID_ARGUMENT, "the device is closed");
        return mDevice;
    }
    void close() { mDevice = nullptr; }
    bool isOpen() const { return mDevice != nullptr; }

   private:
    SharedDevice mDevice;
};

PyDevice open(const std::string& name) {
    return PyDevice(valueOf(untilAbandoned([name] { return registry().open(name); })));
}

std::vector<bool> supportedOperations(const PyDevice& device, const PyModel& model) {
    return valueOf(untilAbandoned([device = device.get(), model = model.model] {
        const Result<ValidatedModel> checked = validateModel(model);
        return checked.ok() ? driver::supportedParts(*device, *checked)
                            : GeneralResult<std::vector<bool>>(checked.status());
    }));
}

std::string representationOf(const PyDevice& device) {
    const SharedDevice& open = device.get();
    return fmt::format("<nnapi.Device {}: {}, feature level {}>", open->getName(),
                       toString(open->getFeatureLevel()), featureLevel(open->getFeatureLevel()));
}

Prepared prepareOn(const PyDevice& device, const PyModel& model,
                   const std::optional<double>& seconds) {
    SharedPreparedModel prepared = valueOf(untilAbandoned(
            [device = device.get(), model = model.model, deadline = deadlineIn(seconds)] {
                // Executions require a legal model, even if a device accepts an illegal one.
                const Status legal = nn::validate(*model).status();
                if (!legal.ok()) return GeneralResult<SharedPreparedModel>(legal);
                return device->prepareModel(*model, ExecutionPreference::DEFAULT, Priority::DEFAULT,
                                            deadline, {}, {}, {}, {}, {});
            }));
    if (prepared == nullptr)
        raise(ErrorStatus::GENERAL_FAILURE, "prepareModel: returns null and no error");
    // Devices that are not drivers have no wrapper that checks their results.
    return {model, driver::checkResults(std::move(prepared),
                                        std::make_shared<std::vector<driver::OutputSignature>>(
                                                driver::outputSignatures(*model.model)))};
}

}  // namespace

void bindDevices(py::module_& module) {
    py::class_<PyDevice>(module, "Device", "An accelerator, or anything else that executes models.")
            .def_property_readonly(
                    "name", [](const PyDevice& device) { return textOf(device.get()->getName()); },
                    "The name, as open_device() takes it.")
            .def_property_readonly(
                    "version_string",
                    [](const PyDevice& device) { return textOf(device.get()->getVersionString()); },
                    "What the driver calls its own version.")
            .def_property_readonly(
                    "level",
                    [](const PyDevice& device) {
                        return featureLevel(device.get()->getFeatureLevel());
                    },
                    "The newest feature level whose models the device accepts.")
            .def_property_readonly(
                    "type",
                    [](const PyDevice& device) { return toString(device.get()->getType()); },
                    "The kind of device, as \"ACCELERATOR\".")
            .def("supported_operations", &supportedOperations, py::arg("model"),
                 "supported_operations(self, model)\n--\n\n"
                 "One bool for each operation of the main graph; False for those of a later "
                 "version.")
            .def("prepare", &prepareOn, py::arg("model"), py::kw_only(),
                 py::arg("timeout") = py::none(),
                 "prepare(self, model, *, timeout=None)\n--\n\nCompiles a "
                 "model.\n\nReturns\n-------\nPrepared")
            .def("close", &PyDevice::close,
                 "close(self)\n--\n\nGives up the device; prepared models stay.")
            .def("__repr__",
                 [](const PyDevice& device) {
                     return device.isOpen() ? textOf(representationOf(device))
                                            : py::str("<nnapi.Device, closed>");
                 })
            .def("__enter__", [](py::object self) { return self; })
            .def("__exit__", [](PyDevice& self, const py::args&) { self.close(); });
    module.def("device_names", [] { return registry().names(); });
    module.def("open_device", &open, py::arg("name"));
}

}  // namespace nn::python
