// Cases about a device's properties, and that they stay the same.
#include <thread>

#include "device_test/cases/cases.h"
#include "device_test/cases/observed_prepared_model.h"
#include "device_test/cases/prepared_case.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

Failure name(const SharedDevice& device) {
    if (device->getName().empty()) return failed("getName", "empty", "wrapper.arguments");
    return std::nullopt;
}

Failure versionString(const SharedDevice& device) {
    if (device->getVersionString().empty())
        return failed("getVersionString", "empty", "device.version_string");
    return std::nullopt;
}

Failure featureLevel(const SharedDevice& device) {
    const int level = nn::featureLevel(device->getFeatureLevel());
    const int newest = nn::featureLevel(kNewestVersion);
    if (level >= 1 && level <= newest) return std::nullopt;
    return failed("getFeatureLevel", fmt::format("{}, allowed 1 to {}", level, newest),
                  "wrapper.feature_level");
}

Failure checkGetter(const char* name, const Status& allowed,
                    const char* rule = "wrapper.converted_getters") {
    if (allowed.ok()) return std::nullopt;
    return failed(name, std::string(allowed.message()), rule);
}

Failure type(const SharedDevice& device) {
    return checkGetter("getType", validate(device->getType()).status());
}

Failure extensions(const SharedDevice& device) {
    return checkGetter("getSupportedExtensions",
                       validate(device->getSupportedExtensions()).status());
}

Failure capabilities(const SharedDevice& device) {
    return checkGetter("getCapabilities", validate(device->getCapabilities()).status());
}

Failure cacheFiles(const SharedDevice& device) {
    const auto [models, data] = device->getNumberOfCacheFilesNeeded();
    return checkGetter("getNumberOfCacheFilesNeeded", validateNumberOfCacheFiles(models, data),
                       "device.cache_files");
}

// A snapshot of a device's properties.
struct DeviceProperties {
    std::string name;
    std::string versionString;
    Version featureLevel;
    DeviceType type;
    std::vector<Extension> extensions;
    Capabilities capabilities;
    std::pair<uint32_t, uint32_t> cacheFiles;
    bool operator==(const DeviceProperties&) const = default;
};

DeviceProperties propertiesOf(const IDevice& device) {
    return {.name = device.getName(),
            .versionString = device.getVersionString(),
            .featureLevel = device.getFeatureLevel(),
            .type = device.getType(),
            .extensions = device.getSupportedExtensions(),
            .capabilities = device.getCapabilities(),
            .cacheFiles = device.getNumberOfCacheFilesNeeded()};
}

Failure stable(const SharedDevice& device) {
    const std::string* name = &device->getName();
    const DeviceProperties before = propertiesOf(*device);
    SharedPreparedModel prepared;
    Failure failure = prepareOn(*device, addition(4), &prepared);
    if (failure && failure->result == DeviceOutcome::Result::FAILED) return failure;
    const DeviceProperties after = propertiesOf(*device);
    if (&device->getName() != name) {
        return failed("getName", "another string object than before", "device.getters");
    }
    if (before != after) {
        return failed("getters", "other values after a preparation than before it",
                      "device.getters");
    }
    return std::nullopt;
}

Failure wait(const SharedDevice& device) {
    const auto waited = device->wait();
    if (!waited.has_value()) return failedCall("wait", waited.status(), "device.wait");
    return std::nullopt;
}

// Rule device.supported_operations for a model, without checking which operations are supported;
// rule prepare.arguments: supported models can be prepared.
Failure supports(const SharedDevice& device, const Model& model) {
    SharedPreparedModel prepared;
    return prepareOn(*device, model, &prepared);
}

Failure supportedTwice(const SharedDevice& device) {
    const Model model = chain(3, 4);
    const auto first = device->getSupportedOperations(model);
    const auto second = device->getSupportedOperations(model);
    if (!first.has_value())
        return failedCall("getSupportedOperations", first.status(), "device.supported_operations");
    if (!second.has_value())
        return failedCall("getSupportedOperations", second.status(), "device.supported_operations");
    if (*first != *second) {
        return failed("getSupportedOperations", "two results for one model differ",
                      "device.supported_operations");
    }
    return std::nullopt;
}

// Rule prepared_model.resource: either result is fine.
Failure resource(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(4), &prepared)) return failure;
    if (prepared->getUnderlyingResource().type() != prepared->getUnderlyingResource().type()) {
        return failed("getUnderlyingResource", "two results of different types",
                      "prepared_model.resource");
    }
    return std::nullopt;
}

// Rule prepared_model.release: the device keeps no reference to objects it returned.
Failure released(const SharedDevice& device) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, addition(4), &prepared)) return failure;
    const std::weak_ptr<const IPreparedModel> life = lifeOf(prepared);
    prepared.reset();
    // A device may release on another thread, so it gets some time.
    for (int i = 0; i < 200 && !life.expired(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (life.expired()) return std::nullopt;
    return failed("prepareModel", "the device still holds the prepared model that was released",
                  "prepared_model.release");
}

}  // namespace

void addBasics(Cases& cases, const DeviceTestOptions&) {
    const auto add = [&](const char* name, RunCase run) {
        cases.push_back(deviceCase(fmt::format("basics/{}", name), std::move(run)));
    };
    add("name", name);
    add("version_string", versionString);
    add("feature_level", featureLevel);
    add("type", type);
    add("extensions", extensions);
    add("capabilities", capabilities);
    add("cache_files", cacheFiles);
    add("stable", stable);
    add("wait", wait);
    add("supported_operations", [](const auto& d) { return supports(d, chain(5, 4)); });
    add("supported_control_flow", [](const auto& d) { return supports(d, endlessLoop()); });
    add("supported_twice", supportedTwice);
    add("underlying_resource", resource);
    add("released", released);
}

}  // namespace nn::testing
