#include <nlohmann/json.hpp>

#include "nnapi/convert.h"
#include "tools/nnapi/answers.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/progress.h"
#include "types/printable.h"

namespace nn::cli {

namespace {

// Tells which operations of each model a device supports, as getSupportedOperations does, and why
// it does not support the others.
Exit support(const Options& options) {
    const std::optional<DeviceOverlay> device = deviceOf(options);
    if (!device) return kUsageOrUnreadable;
    const Output output(options.json);
    return forEachInput(options, [&](Input& input) {
        const Result<Model> model = canonical(std::move(input.model));
        const Result<DeviceSupport> support =
                model.ok() ? supportedOperations(*model, *device) : model.status();
        std::vector<Diagnostic> reasons = diagnosticsOf(support.status());
        Json supported = Json::array();
        size_t count = 0;
        if (support.ok()) {
            for (const OperationSupport& operation : support->operations) {
                supported.push_back(operation.isSupported());
                count += operation.isSupported() ? 1 : 0;
                const size_t shown = options.all ? operation.reasons.size() : 1;
                for (size_t i = 0; i < std::min(shown, operation.reasons.size()); ++i) {
                    reasons.push_back(operation.reasons[i]);
                }
            }
            std::ranges::copy(support->reasons, std::back_inserter(reasons));
        }
        if (output.isJson()) {
            output.object({{"name", input.name},
                           {"device", device->name},
                           {"valid", support.ok()},
                           {"supported", supported},
                           {"diagnostics", toJson(reasons)}});
        }
        output.text("{}: {}\n", input.name,
                    support.ok()
                            ? fmt::format("{} supports {} of {}", printable(device->name), count,
                                          counted(supported.size(), "operation", "operations"))
                            : std::string("invalid"));
        for (const Diagnostic& reason : reasons) output.text("  {}\n", toString(reason));
        return support.ok() && support->all() ? kGood : kInvalidOrDiffers;
    });
}

struct ValidationAnswer {
    Findings findings;
    std::vector<Diagnostic> errors;
};

// A version has demands beyond the canonical rules; converting a versioned model checks them.
ValidationAnswer examine(AnyModel&& any, const Options& options) {
    const std::optional<HalVersion> own = halVersionOf(any);
    const std::optional<HalVersion> target = options.hal ? options.hal : own;
    std::vector<Diagnostic> errors;
    Result<Model> model = std::visit(
            [&]<class M>(M&& held) -> Result<Model> {
                if constexpr (std::same_as<M, Model>) {
                    return std::forward<M>(held);
                } else {
                    const HalModel versioned(std::forward<M>(held));
                    errors = diagnosticsOf(convertFrom(versioned, options.limits).status());
                    return unvalidatedConvertFrom(versioned);
                }
            },
            std::move(any));
    if (!model.ok()) return {.findings = {}, .errors = diagnosticsOf(model.status())};
    ValidateOptions rules{.limits = options.limits};
    if (target) rules.target = toVersion(*target);
    Findings findings = validateAll(*model, rules);
    if (!findings.errors.empty()) errors = findings.errors;
    if (!options.all && errors.size() > 1) errors.resize(1);
    return {.findings = std::move(findings), .errors = std::move(errors)};
}

}  // namespace

Exit validate(const Options& options) {
    const Progress progress;
    if (!options.device.empty()) return support(options);
    const Output output(options.json);
    size_t legal = 0, illegal = 0;
    const Exit exit = forEachInput(options, [&](Input& input) {
        const ValidationAnswer answer = examine(std::move(input.model), options);
        if (interrupted()) return kInterrupted;
        const bool valid = answer.errors.empty();
        const Version version = answer.findings.version;
        const std::vector<Diagnostic>& warnings = answer.findings.warnings;
        ++(valid ? legal : illegal);
        const Losses losses = input.import ? input.import->losses : Losses();
        if (output.isJson()) {
            Json object = {{"name", input.name},
                           {"valid", valid},
                           {"featureLevel", featureLevel(version)},
                           {"runtimeOnly", version.runtimeOnlyFeatures},
                           {"diagnostics", toJson(answer.errors)},
                           {"warnings", toJson(warnings)}};
            if (input.import) object["losses"] = toJson(losses);
            output.object(object);
        }
        std::string doubts;
        if (!warnings.empty()) {
            doubts = fmt::format("; {}{}", counted(warnings.size(), "warning", "warnings"),
                                 options.all           ? ""
                                 : warnings.size() > 1 ? ": --all shows them"
                                                       : ": --all shows it");
        }
        output.text("{}: {}{}\n", input.name,
                    valid ? "valid, needs " + toString(version) : std::string("invalid"), doubts);
        for (const Diagnostic& error : answer.errors) output.text("  {}\n", toString(error));
        for (size_t i = 0; i < losses.size() && valid; ++i)
            output.text("  imported with a loss: {}\n", toString(losses[i]));
        for (size_t i = 0; i < warnings.size() && options.all; ++i)
            output.text("  warning: {}\n", toString(warnings[i]));
        return valid ? kGood : kInvalidOrDiffers;
    });
    if (interrupted()) output.text("{} valid, {} invalid, then interrupted\n", legal, illegal);
    return exit;
}

}  // namespace nn::cli
