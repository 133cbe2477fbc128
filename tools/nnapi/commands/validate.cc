#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "nnapi/convert.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/commands/support.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/progress.h"

namespace nn::cli {
namespace {

struct ValidationResult {
    Findings findings;
    std::vector<Diagnostic> errors;
};

// A version has demands beyond the canonical rules; converting a versioned model checks them.
ValidationResult examine(AnyModel&& any, const Options& options) {
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
    if (!options.device.empty()) {
        const std::optional<SupportQuery> device = descriptionOf(options);
        return device ? validateOn(*device, options) : kUsageOrUnreadable;
    }
    const Output output(options.json);
    size_t legal = 0, illegal = 0;
    const Exit exit = forEachInput(options, [&](Input& input) {
        const ValidationResult result = examine(std::move(input.model), options);
        if (interrupted()) return kInterrupted;
        const bool valid = result.errors.empty();
        const Version version = result.findings.version;
        const std::vector<Diagnostic>& warnings = result.findings.warnings;
        ++(valid ? legal : illegal);
        const Losses losses = input.import ? input.import->losses : Losses();
        if (output.isJson()) {
            Json object = {{"name", input.name},
                           {"valid", valid},
                           {"featureLevel", featureLevel(version)},
                           {"runtimeOnly", version.runtimeOnlyFeatures},
                           {"diagnostics", toJson(result.errors)},
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
        output.text("{}: {}{}{}\n", input.name,
                    valid ? Colored::good("valid") : Colored::bad("invalid"),
                    valid ? ", needs " + withLevel(version) : "", doubts);
        for (const Diagnostic& error : result.errors) output.text("  {}\n", toString(error));
        for (size_t i = 0; i < losses.size() && valid; ++i)
            output.text("  imported with a loss: {}\n", toString(losses[i]));
        for (size_t i = 0; i < warnings.size() && options.all; ++i)
            output.text("  warning: {}\n", toString(warnings[i]));
        return valid ? kGood : kInvalidOrDiffers;
    });
    if (interrupted())
        output.text("{} valid, {} invalid{}\n", legal, illegal, thenInterrupted(output));
    return exit;
}

}  // namespace nn::cli
