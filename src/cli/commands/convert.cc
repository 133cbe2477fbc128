#include <nlohmann/json.hpp>

#include "cli/answers.h"
#include "cli/command.h"
#include "cli/input_files.h"
#include "cli/interrupt.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "nnapi/convert.h"
#include "nnapi/passes.h"
#include "nnapi/slice.h"
#include "types/printable.h"
#include "types/status_message.h"

namespace nn::cli {
namespace {

AnyModel toAny(HalModel&& model) {
    return std::visit([](auto&& held) -> AnyModel { return std::forward<decltype(held)>(held); },
                      std::move(model));
}

// A model being converted to a version, and what the conversion changed.
struct Conversion {
    std::vector<Removal> removed{};
    std::vector<std::string> leftOut{};  // operations that the slice does not have
    Losses losses{};
};

// The operations that the version cannot carry: "main.operations[4] HARD_SWISH".
std::vector<std::string> operationsLeftOut(const Model& model, HalVersion version) {
    std::vector<std::string> places;
    for (const OperationIndex& index : nonCompliantOperations(model, version)) {
        if (index.graph) continue;
        places.push_back(fmt::format("main.operations[{}] {}", index.operation,
                                     toString(model.main.operations[index.operation].type)));
    }
    return places;
}

// The model in the requested version. From another version it goes through canonical.
Result<AnyModel> convertModel(AnyModel&& any, const Options& options, Conversion& conversion) {
    NNAPI_ASSIGN_OR_RETURN(model, canonical(std::move(any)));
    if (options.minimize) {
        Minimized minimized = minimize(std::move(model));
        model = std::move(minimized.model);
        conversion.removed = std::move(minimized.removed);
    }
    if (!options.hal) {
        NNAPI_RETURN_IF_ERROR(nn::validate(model, options.limits).status());
        return AnyModel(std::move(model));
    }
    if (options.slice) {
        NNAPI_ASSIGN_OR_RETURN(slice, sliceForVersion(model, *options.hal));
        conversion.leftOut = operationsLeftOut(model, *options.hal);
        if (slice.model.main.operations.empty()) {
            return makeError(
                    ErrorStatus::INVALID_ARGUMENT,
                    fmt::format("{} can carry none of the operations", titleOf(*options.hal)));
        }
        model = std::move(slice.model);
    }
    NNAPI_ASSIGN_OR_RETURN(converted,
                           convertTo(*options.hal, model, &conversion.losses, options.limits));
    return toAny(std::move(converted));
}

Json jsonOf(const std::vector<Removal>& removed) {
    Json list = Json::array();
    for (const Removal& removal : removed) {
        list.push_back({{"path", removal.path}, {"why", removal.why}});
    }
    return list;
}

}  // namespace

Exit convert(const Options& options) {
    if (options.slice && !options.hal) {
        Output::complain("--slice needs a version to slice for, allowed any --to but canonical");
        return kUsageOrUnreadable;
    }
    Result<ModelFiles> files = ModelFiles::open(options.out, options.format);
    if (files.ok() && files->isStandardOutput() && options.json) {
        files = makeError(ErrorStatus::INVALID_ARGUMENT,
                          "--json and -o - both go to standard output, allowed one");
    }
    if (!files.ok()) {
        Output::complain(messageOf(files.status()));
        return kUsageOrUnreadable;
    }
    const Output output(options.json, files->isStandardOutput() ? stderr : stdout);
    const std::string to = options.hal ? std::string(toString(*options.hal)) : "canonical";
    const std::string target = options.hal ? std::string(titleOf(*options.hal)) : to;
    const Progress progress;
    size_t done = 0;
    const Exit exit = forEachInput(options, [&](Input& input) {
        ++done;
        Conversion conversion;
        const Result<AnyModel> converted =
                convertModel(std::move(input.model), options, conversion);
        const Losses& losses = conversion.losses;
        Result<std::filesystem::path> file = std::filesystem::path();
        if (converted.ok()) file = files->write(input.name, *converted);
        if (output.isJson()) {
            Json object = {{"name", input.name},
                           {"to", to},
                           {"converted", converted.ok()},
                           {"losses", toJson(losses)},
                           {"diagnostics", toJson(diagnosticsOf(converted.status()))}};
            if (options.minimize) object["removed"] = jsonOf(conversion.removed);
            if (options.slice) object["leftOut"] = conversion.leftOut;
            if (!options.out.empty()) {
                object["file"] = converted.ok() && file.ok() ? Json(file->string()) : Json();
            }
            output.object(object);
        }
        for (const Removal& removal : conversion.removed) {
            output.text("{}: removed {}\n", input.name, toString(removal));
        }
        for (const std::string& place : conversion.leftOut) {
            output.text("{}: left out {}\n", input.name, place);
        }
        if (!converted.ok()) {
            output.text("{}: not converted to {}\n  {}\n", input.name, target,
                        messageOf(converted.status()));
            return kInvalidOrDiffers;
        }
        if (!file.ok()) {
            Output::complain(messageOf(file.status()));
            return kUsageOrUnreadable;
        }
        output.text("{}: converted to {}, {}\n", input.name, target,
                    losses.empty() ? "nothing lost" : counted(losses.size(), "loss", "losses"));
        for (const Loss& loss : losses) output.text("  {}\n", toString(loss));
        if (files->isRenamed(input.name, *file)) {
            output.text("  written to {}\n", printable(file->string()));
        }
        return kGood;
    });
    if (interrupted()) output.text("{} done, then interrupted\n", counted(done, "model", "models"));
    return exit;
}

}  // namespace nn::cli
