#include "driver/wrap/supported_parts.h"

#include <fmt/format.h>

#include <optional>

#include "base/no_throw.h"
#include "nnapi/slice.h"
#include "nnapi/type_utils.h"

namespace nn::driver {
namespace {

GeneralResult<std::vector<bool>> supportOf(const IDevice& device, const Model& model) {
    auto supported = device.getSupportedOperations(model);
    const size_t count = model.main.operations.size();
    if (!supported.has_value() || supported->size() == count) return supported;
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     fmt::format("getSupportedOperations: {} results, allowed {}, one for each "
                                 "operation of the main graph [device.supported_operations]",
                                 supported->size(), count));
}

std::optional<HalVersion> newestOf(const IDevice& device) {
    std::optional<HalVersion> newest;
    for (const HalVersion version : kHalVersions) {
        if (isCompliantVersion(toVersion(version), device.getFeatureLevel())) newest = version;
    }
    return newest;
}

}  // namespace

GeneralResult<std::vector<bool>> supportedParts(const IDevice& device,
                                                const ValidatedModel& model) NNAPI_TRY {
    if (isCompliantVersion(model.version(), device.getFeatureLevel()))
        return supportOf(device, model.model());
    const std::vector<bool> none(model.model().main.operations.size(), false);
    const std::optional<HalVersion> newest = newestOf(device);
    if (!newest) return none;
    NNAPI_ASSIGN_OR_RETURN(slice, sliceForVersion(model, *newest));
    if (slice.model.main.operations.empty()) return none;
    NNAPI_ASSIGN_OR_RETURN(supported, supportOf(device, slice.model));
    return slice.supportedOperations(supported);
}
NNAPI_CATCH

}  // namespace nn::driver
