#include "cli/command.h"

namespace nn::cli {
namespace {

struct Answer {
    Findings findings;
    std::vector<Diagnostic> errors;
};

// A versioned model must hold what its version demands beyond the canonical rules, which converting
// it checks.
Answer examine(AnyModel&& any, const Options& options) {
    const std::optional<HalVersion> own = halVersionOf(any);
    std::vector<Diagnostic> errors;
    if (own) {
        const HalModel versioned = std::visit(
                []<class M>(const M& held) -> HalModel {
                    if constexpr (std::same_as<M, Model>) {
                        return {};
                    } else {
                        return held;
                    }
                },
                any);
        errors = diagnosticsOf(convertFrom(versioned).status());
    }
    const std::optional<HalVersion> target = options.hal ? options.hal : own;
    Result<Model> model = canonical(std::move(any));
    if (!model.ok()) return {.findings = {}, .errors = diagnosticsOf(model.status())};
    ValidateOptions rules;
    if (target) rules.target = toVersion(*target);
    Findings findings = validateAll(*model, rules);
    if (!findings.errors.empty()) errors = findings.errors;
    if (!options.all && errors.size() > 1) errors.resize(1);
    return {.findings = std::move(findings), .errors = std::move(errors)};
}

}  // namespace

Exit validate(const Options& options) {
    const Output output(options.json);
    return forEachInput(options.files, [&](Input& input) {
        const Answer answer = examine(std::move(input.model), options);
        const bool valid = answer.errors.empty();
        const Version version = answer.findings.version;
        if (output.isJson()) {
            Json object = {{"name", input.name},
                           {"valid", valid},
                           {"featureLevel", featureLevel(version)},
                           {"runtimeOnly", version.runtimeOnlyFeatures},
                           {"diagnostics", toJson(answer.errors)}};
            if (options.all) object["warnings"] = toJson(answer.findings.warnings);
            output.object(object);
        }
        output.text("{}: {}\n", input.name,
                    valid ? "valid, needs " + toString(version) : std::string("invalid"));
        for (const Diagnostic& error : answer.errors) output.text("  {}\n", toString(error));
        if (options.all) {
            for (const Diagnostic& w : answer.findings.warnings)
                output.text("  warning: {}\n", toString(w));
        }
        return valid ? kGood : kInvalidOrDiffers;
    });
}

}  // namespace nn::cli
