// A strict device that supports all operations rejects exactly the models that prepare rejects, for
// the same reason.
#pragma once

#include <optional>
#include <string>

#include "nnapi/device_profile.h"
#include "nnapi/interpreter.h"

namespace nn {

// The difference of the two results; empty if they agree, or if a limit of the host stops prepare,
// which does not apply to a device.
inline std::optional<std::string> strictContradiction(const Model& model,
                                                      const PrepareOptions& options = {}) {
    static const DeviceProfile kDevice{
            .version = {.level = Version::Level::FEATURE_LEVEL_8, .runtimeOnlyFeatures = true},
            .supportsOthers = true,
            .isStrict = true};
    const Status prepared = prepare(model, options).status();
    const auto why = diagnostic(prepared);
    if (errorStatus(prepared) == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT &&
        (!why || why->rule != "limits.rank")) {
        return std::nullopt;
    }
    const Result<DeviceSupport> support = supportedOperations(
            model, kDevice, {.limits = options.limits, .extensions = options.extensions});
    if (!support.ok()) {
        return support.status().message() == prepared.message()
                       ? std::nullopt
                       : std::optional("device: " + std::string(support.status().message()) +
                                       "\nprepare: " + std::string(prepared.message()));
    }
    std::string reasons;
    size_t count = 0;
    bool isAmong = false;
    const auto add = [&](const Diagnostic& reason) {
        reasons += "\n  " + toString(reason);
        isAmong = isAmong || toString(reason) == std::string(prepared.message());
        ++count;
    };
    for (const OperationSupport& operation : support->operations) {
        for (const Diagnostic& reason : operation.reasons) add(reason);
    }
    for (const Diagnostic& reason : support->reasons) add(reason);
    // A referenced graph passes on only its first reasons.
    constexpr size_t kMaxPerGraph = 16;
    const bool mayBeCut = !model.referenced.empty() && count >= kMaxPerGraph;
    const bool agree =
            prepared.ok() ? support->all() && count == 0 : !support->all() && (isAmong || mayBeCut);
    if (agree) return std::nullopt;
    return "prepare: " + (prepared.ok() ? "ok" : std::string(prepared.message())) +
           "\ndevice:" + reasons;
}

}  // namespace nn
