#include "cli/open_device.h"

#include "cli/vlog.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/sample.h"
#include "nnapi/testing/faulty_device.h"
#include "nnapi/testing/faulty_driver.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::cli {
namespace {

constexpr size_t kFencedThreads = 2;
constexpr std::string_view kFaulty = "faulty:";

DeviceRegistry makeRegistry() {
    DeviceRegistry registry({.reference = {.fencedThreads = kFencedThreads, .log = programLog()},
                             .log = programLog()});
    for (ReferenceDeviceOptions& options : sampleDevices()) {
        options.fencedThreads = kFencedThreads;
        options.log = programLog();
        std::string name = options.name;
        (void)registry.registerDevice(std::move(name),
                                      [options] { return referenceDevice(options); });
    }
#ifdef NNAPI_HAS_XNNPACK
    (void)registry.registerDevice("nnapi-xnnpack", [] { return xnnpackDevice(); });
#endif
    return registry;
}

// "faulty:FAULTS:DEVICE@HAL": the device with faults, as that version carries it.
GeneralResult<SharedDevice> openFaulty(std::string_view spec) {
    const size_t at = spec.rfind('@');
    std::string_view rest = spec.substr(0, at);
    rest.remove_prefix(kFaulty.size());
    const size_t colon = rest.find(':');
    NNAPI_ASSIGN_OR_RETURN(faults, testing::DeviceFaults::parse(rest.substr(0, colon)));
    const std::string behind(colon == std::string_view::npos ? "" : rest.substr(colon + 1));
    const GeneralResult<SharedDevice> good =
            behind.empty() || behind == kReferenceDeviceName
                    ? referenceDevice({.name = "faulty",
                                       .fencedThreads = kFencedThreads,
                                       .log = programLog()})
                    : openDevice(behind);
    if (!good.has_value()) return good;
    auto device = testing::faultyDevice(*good, faults);
    if (!device.has_value()) return device;
    using enum testing::DeviceFault;
    if (faults.isOn(NOTIFIES_TWICE) || faults.isOn(NOTIFIES_NEVER) || faults.isOn(NOTIFIES_NULL)) {
        NNAPI_ASSIGN_OR_RETURN(driver, hal::adapter::adapt(*device));
        device = V1_3::utils::Device::create((*device)->getName(),
                                             testing::faultyDriver(std::move(driver), faults));
        if (!device.has_value()) return device;
    }
    if (at == std::string_view::npos) return device;
    DeviceRegistry registry;
    NNAPI_RETURN_IF_ERROR(registry.registerDevice(*device).status());
    return registry.open((*device)->getName() + std::string(spec.substr(at)));
}

}  // namespace

GeneralResult<SharedDevice> openDevice(const std::string& spec) {
    if (spec.starts_with(kFaulty)) return openFaulty(spec);
    static const DeviceRegistry registry = makeRegistry();
    return registry.open(spec);
}

}  // namespace nn::cli
