// Converts the arguments of a call for a driver's version, and reports those that it lacks as lost.
#pragma once

#include <string_view>

#include "driver/wrap/interface_features.h"
#include "driver/wrap/loss_reporter.h"
#include "nnapi/convert.h"
#include "nnapi/validate.h"

namespace nn::driver {

// As nn::convertTo, for a version known at run time. The type of kNewest is that of all versions of
// its family that have one.
template <HalVersion kNewest, class Canonical>
Result<HalType<Canonical, kNewest>> convertFor(HalVersion version, const Canonical& object,
                                               Losses* losses = nullptr) {
    NNAPI_RETURN_IF_ERROR(conversion::suffices(
            validate(object), version, conversion::HalTypeOf<Canonical, kNewest>::kCanonical));
    return conversion::toHal<HalType<Canonical, kNewest>, const Canonical&>(object, version,
                                                                            losses);
}

// Sets `hal` to the argument if the version has it; otherwise records the loss: the driver behaves
// as if the argument were `absent`.
template <HalVersion kNewest, class Canonical, class Hal>
Status put(const Argument& argument, const Canonical& value, Hal& hal, LossReporter& reporter,
           const Canonical& absent = {}) {
    if (reporter.version() < argument.since) {
        reporter.drop(argument.name, value, absent, argument.whyLost);
        return {};
    }
    NNAPI_ASSIGN_OR_RETURN(converted,
                           convertFor<kNewest>(reporter.version(), value, reporter.list()));
    hal = std::move(converted);
    return {};
}

// `hal` must be no deadline before.
template <HalVersion kNewest, class Hal>
Status putDeadline(const OptionalTimePoint& deadline, Hal& hal, LossReporter& reporter) {
    if (!deadline) return {};
    return put<kNewest>(arguments::kDeadline, deadline, hal, reporter);
}

// A family without hints loses them in every version.
template <HalVersion kNewest, class Hal>
Status putHints(const std::vector<TokenValuePair>& hints,
                const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix, Hal& hal,
                LossReporter& reporter) {
    if constexpr (kNewest >= since::kHints) {
        NNAPI_RETURN_IF_ERROR(put<kNewest>(arguments::kHints, hints, hal.hints, reporter));
        return put<kNewest>(arguments::kExtensions, extensionNameToPrefix,
                            hal.extensionNameToPrefix, reporter);
    } else {
        reporter.drop(arguments::kHints, hints);
        reporter.drop(arguments::kExtensions, extensionNameToPrefix);
        return {};
    }
}

// Converts a model; constants behind pointers move to shared memory.
Result<HalModel> convertModel(HalVersion version, const Model& model, Losses* losses);

}  // namespace nn::driver
