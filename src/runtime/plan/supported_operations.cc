#include "runtime/plan/supported_operations.h"

#include <absl/algorithm/container.h>

#include "nnapi/type_utils.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {

// Empty if the driver fails or returns a result of the wrong length.
std::vector<bool> Support::query(const IDevice& device, const Model& model) {
    auto result = guardExceptions<GeneralResult<std::vector<bool>>>(
            [&] { return device.getSupportedOperations(model); });
    if (result.has_value() && result->size() == model.main.operations.size()) {
        return *std::move(result);
    }
    if (!result.has_value() && mFailure.ok()) mFailure = result.status();
    return {};
}

std::vector<bool> Support::of(const PlanDevice& device) {
    const std::vector<Operation>& operations = mModel.model().main.operations;
    std::vector<bool> supported;
    if (device.isCpu) {
        for (const Operation& operation : operations) {
            supported.push_back(!isExtension(operation.type) &&
                                operation.type != OperationType::OEM_OPERATION);
        }
        return supported;
    }
    supported = isCompliantVersion(mModel.version(), device.device->getFeatureLevel())
                        ? query(*device.device, mModel.model())
                        : ofSlice(*device.device);
    supported.resize(operations.size());
    return supported;
}

std::vector<bool> Support::ofSlice(const IDevice& device) {
    const Version::Level level = device.getFeatureLevel().level;
    const auto newest = absl::c_find_if(
            kHalVersions, [&](HalVersion version) { return toVersion(version).level == level; });
    if (newest == kHalVersions.end()) return {};
    auto [slice, isNew] = mSlices.try_emplace(level);
    if (isNew) {
        if (auto made = sliceForVersion(mModel, *newest); made.ok())
            slice->second = *std::move(made);
    }
    if (!slice->second || slice->second->model.main.operations.empty()) return {};
    return slice->second->supportedOperations(query(device, slice->second->model));
}

}  // namespace nn::runtime
