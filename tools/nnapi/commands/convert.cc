#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/convert.h"
#include "nnapi/passes.h"
#include "nnapi/slice.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/import_files.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/output_files.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/progress.h"

namespace nn::cli {
namespace {

constexpr std::string_view kTflite = "tflite";

AnyModel toAny(HalModel&& model) {
    return std::visit([](auto&& held) -> AnyModel { return std::forward<decltype(held)>(held); },
                      std::move(model));
}

// A model being converted to a version, and the losses of the conversion.
struct Conversion {
    std::vector<Removal> removed{};
    std::vector<std::string> leftOut{};  // operations that the slice does not have
    Losses losses{};
    std::vector<std::string> hints{};  // options with which it would convert more
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

// The options with which more of a model that a version cannot represent would be converted.
std::vector<std::string> hintsFor(const Model& model, const Options& options) {
    std::vector<std::string> hints;
    const Version target = toVersion(*options.hal);
    if (!nn::validate(model, options.limits).ok()) return hints;
    if (!options.minimize && validateFor(minimize(model).model, target, options.limits).ok()) {
        hints.emplace_back("--minimize converts it: it removes what needs a later version");
    }
    const size_t total = model.main.operations.size();
    const size_t compliant = total - operationsLeftOut(model, *options.hal).size();
    if (!options.slice && compliant != 0) {
        hints.push_back(fmt::format("--slice converts {} of {}", compliant,
                                    counted(total, "operation", "operations")));
    }
    return hints;
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
    Result<HalModel> converted = convertTo(*options.hal, model, &conversion.losses, options.limits);
    if (converted.ok()) return toAny(*std::move(converted));
    conversion.hints = hintsFor(model, options);
    return converted.status();
}

// "9 operations left out, 2 losses": all that a conversion and an import changed for the worse.
std::string changesOf(const Conversion& conversion, size_t importLosses) {
    const size_t losses = conversion.losses.size() + importLosses;
    std::string text;
    if (!conversion.leftOut.empty()) {
        text = counted(conversion.leftOut.size(), "operation", "operations") + " left out, ";
    }
    if (losses == 0) return text + (text.empty() ? "nothing lost" : "nothing else lost");
    return text + counted(losses, "loss", "losses");
}

// A model of a version, or a file of another format.
using Converted = std::variant<AnyModel, std::string>;

Result<Converted> convertInput(Input& input, const Options& options, Conversion& conversion) {
    if (options.to != kTflite) {
        NNAPI_ASSIGN_OR_RETURN(model, convertModel(std::move(input.model), options, conversion));
        return Converted(std::move(model));
    }
    Options canonicalOnly = options;
    canonicalOnly.hal.reset();
    NNAPI_ASSIGN_OR_RETURN(any, convertModel(std::move(input.model), canonicalOnly, conversion));
    NNAPI_ASSIGN_OR_RETURN(
            bytes, exportBytes(std::get<Model>(any), input.names.operandNames, conversion.losses));
    return Converted(std::move(bytes));
}

// Raw files of the inputs and expected outputs of a test case, in the folder of its model.
Status writeTensors(const ModelFiles& files, const std::filesystem::path& file,
                    const TestCase& testCase) {
    const auto write = [&](std::string_view kind, size_t i, const Tensor& tensor) {
        const std::string_view bytes(reinterpret_cast<const char*>(tensor.data.data()),
                                     tensor.data.size());
        return files.writeBeside(file, fmt::format("{}{}.raw", kind, i), bytes);
    };
    for (size_t i = 0; i < testCase.inputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(write("input", i, testCase.inputs[i]));
    }
    for (size_t i = 0; i < testCase.outputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(write("output", i, testCase.outputs[i].value));
    }
    return {};
}

Result<std::filesystem::path> writeConverted(ModelFiles& files, const Input& input,
                                             const Converted& converted) {
    if (const AnyModel* model = std::get_if<AnyModel>(&converted)) {
        return files.write(input.name, *model);
    }
    NNAPI_ASSIGN_OR_RETURN(file, files.write(input.name, std::get<std::string>(converted)));
    if (input.testCase) NNAPI_RETURN_IF_ERROR(writeTensors(files, file, *input.testCase));
    return file;
}

Json jsonOf(const std::vector<Removal>& removed) {
    Json list = Json::array();
    for (const Removal& removal : removed) {
        list.push_back({{"path", removal.path}, {"why", removal.why}});
    }
    return list;
}

}  // namespace

Exit convert(const Options& given) {
    Options options = given;
    options.hal = parseHalVersion(options.to);
    const bool isTflite = options.to == kTflite;
    if (options.slice && !options.hal) {
        return Output::complain(
                "--slice needs a version to slice for, allowed any version for --to");
    }
    Result<ModelFiles> files =
            ModelFiles::open(options.out, options.format, isTflite ? ".tflite" : "");
    if (files.ok() && files->isStandardOutput() && options.json) {
        files = makeError(ErrorStatus::INVALID_ARGUMENT,
                          "--json and -o - both go to standard output, allowed one");
    }
    Status writable = files.status();
    if (writable.ok()) writable = files->requireFileForEach(inputFileCount(options));
    if (!writable.ok()) return Output::complain(writable);
    const Output output(options.json, files->isStandardOutput() ? stderr : stdout);
    const std::string& to = options.to;
    const std::string target = options.hal ? std::string(titleOf(*options.hal))
                               : isTflite  ? "TensorFlow Lite"
                                           : to;
    const Progress progress;
    size_t done = 0;
    const Exit exit = forEachInput(options, [&](Input& input) {
        ++done;
        Conversion conversion;
        const Result<Converted> converted = convertInput(input, options, conversion);
        const Losses& losses = conversion.losses;
        Result<std::filesystem::path> file = std::filesystem::path();
        if (converted.ok()) file = writeConverted(*files, input, *converted);
        if (output.isJson()) {
            Json object = {{"name", input.name},
                           {"to", to},
                           {"converted", converted.ok()},
                           {"losses", toJson(losses)},
                           {"diagnostics", toJson(diagnosticsOf(converted.status()))}};
            if (!conversion.hints.empty()) object["hints"] = conversion.hints;
            if (input.import) object["importLosses"] = toJson(input.import->losses);
            if (options.minimize) object["removed"] = jsonOf(conversion.removed);
            if (options.slice) object["leftOut"] = conversion.leftOut;
            if (!options.out.empty()) {
                object["file"] = converted.ok() && file.ok() ? Json(file->string()) : Json();
            }
            output.object(object);
        }
        for (const Loss& loss : input.import ? input.import->losses : Losses()) {
            output.text("{}: imported with a loss: {}\n", input.name, toString(loss));
        }
        for (const Removal& removal : conversion.removed) {
            output.text("{}: removed {}\n", input.name, toString(removal));
        }
        for (const std::string& place : conversion.leftOut) {
            output.text("{}: left out {}\n", input.name, place);
        }
        if (!converted.ok()) {
            output.text("{}: {} to {}\n  {}\n", input.name, Colored::bad("not converted"), target,
                        messageOf(converted.status()));
            for (const std::string& hint : conversion.hints) output.text("  {}\n", hint);
            return kInvalidOrDiffers;
        }
        if (!file.ok()) return Output::complain(file.status());
        const size_t importLosses = input.import ? input.import->losses.size() : 0;
        const bool isLossless = losses.empty() && conversion.leftOut.empty() && importLosses == 0;
        output.text("{}: {} to {}, {}\n", input.name,
                    isLossless ? Colored::good("converted") : Colored::doubtful("converted"),
                    target, changesOf(conversion, importLosses));
        for (const Loss& loss : losses) output.text("  {}\n", toString(loss));
        if (files->isRenamed(input.name, *file)) {
            output.text("  written to {}\n", printable(file->string()));
        }
        return kGood;
    });
    if (interrupted())
        output.text("{} done{}\n", counted(done, "model", "models"), thenInterrupted(output));
    return exit;
}

}  // namespace nn::cli
