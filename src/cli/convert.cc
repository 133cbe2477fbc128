#include "cli/command.h"

namespace nn::cli {
namespace {

AnyModel toAny(HalModel&& model) {
    return std::visit([](auto&& held) -> AnyModel { return std::forward<decltype(held)>(held); },
                      std::move(model));
}

// The model in the version asked for. From a version that is not asked for it goes through
// canonical.
Result<AnyModel> convertModel(AnyModel&& any, std::optional<HalVersion> to, Losses* losses) {
    NNAPI_ASSIGN_OR_RETURN(model, canonical(std::move(any)));
    if (!to) {
        NNAPI_RETURN_IF_ERROR(nn::validate(model).status());
        return AnyModel(std::move(model));
    }
    NNAPI_ASSIGN_OR_RETURN(converted, convertTo(*to, model, losses));
    return toAny(std::move(converted));
}

// Where a model goes: the file that -o names, or a file of its name in the folder that it names.
std::filesystem::path destination(const Options& options, const std::string& name) {
    const std::filesystem::path out = options.out;
    if (formatOf(out)) return out;
    return out / (name + ".pb");
}

}  // namespace

Exit convert(const Options& options) {
    const Output output(options.json);
    const std::string to = options.hal ? std::string(toString(*options.hal)) : "canonical";
    const std::string target = options.hal ? "HAL " + to : to;
    size_t written = 0;
    return forEachInput(options.files, [&](Input& input) {
        Losses losses;
        const Result<AnyModel> converted =
                convertModel(std::move(input.model), options.hal, &losses);
        if (output.isJson()) {
            output.object({{"name", input.name},
                           {"to", to},
                           {"converted", converted.ok()},
                           {"losses", toJson(losses)},
                           {"diagnostics", toJson(diagnosticsOf(converted.status()))}});
        }
        if (!converted.ok()) {
            output.text("{}: not converted to {}\n  {}\n", input.name, target,
                        messageOf(converted.status()));
            return kInvalidOrDiffers;
        }
        output.text("{}: converted to {}, {}\n", input.name, target,
                    losses.empty() ? "nothing lost" : counted(losses.size(), "loss", "losses"));
        for (const Loss& loss : losses) output.text("  {}\n", toString(loss));
        if (options.out.empty()) return kGood;
        const std::filesystem::path path = destination(options, input.name);
        if (formatOf(options.out) && ++written > 1) {
            Output::complain(fmt::format(
                    "{} is one file, and there are several models: name a folder", options.out));
            return kUsageOrUnreadable;
        }
        std::error_code ignored;
        if (!formatOf(options.out)) std::filesystem::create_directories(options.out, ignored);
        const Status status = writeModel(path, *converted);
        if (!status.ok()) {
            Output::complain(messageOf(status));
            return kUsageOrUnreadable;
        }
        return kGood;
    });
}

}  // namespace nn::cli
