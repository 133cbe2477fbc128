#include "tools/nnapi/diff/sides.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "base/status_message.h"
#include "model_io/inputs.h"

namespace nn::cli {
namespace {

// Checks combinations of options; empty if they are valid.
std::string wrongUsage(const Options& options) {
    const bool hasOther = options.hal || !options.dump.empty() || !options.device.empty();
    if (options.files.size() != (hasOther ? 1 : 2)) {
        return "diff takes two files, or one and --hal, --dump or --device";
    }
    if (!options.dump.empty() && !options.device.empty()) {
        return "diff takes --dump or --device, not both";
    }
    if (options.each && options.device.empty()) return "--each of diff is for --device";
    if (options.out.empty()) return "";
    if (options.device.empty()) return "-o of diff is for --device";
    if (schema::isTestCaseFile(options.out)) return "";
    return fmt::format("-o of diff is {}, allowed a file of test cases (.jsonl, .jsonl.gz)",
                       printable(options.out));
}

}  // namespace

bool hasValidUsage(const Options& options) {
    const std::string why = wrongUsage(options);
    if (!why.empty()) Output::complain(why);
    return why.empty();
}

std::optional<Model> modelOf(Input& input) {
    Result<Model> model = canonical(std::move(input.model));
    if (model.ok()) return *std::move(model);
    Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())));
    return std::nullopt;
}

std::optional<Side> sideOf(Input& input, const Options& options) {
    std::optional<Model> model = modelOf(input);
    if (!model) return std::nullopt;
    Result<ExecutionInputs> inputs = inputsOf(input, *model, options);
    if (inputs.ok() && inputs->seed && !options.dump.empty()) {
        inputs = makeError(ErrorStatus::INVALID_ARGUMENT,
                           fmt::format("{}: --dump was written for certain inputs: --input FILE "
                                       "gives the raw bytes of an input, once for each",
                                       input.name));
    }
    if (!inputs.ok()) {
        Output::complain(inputs.status());
        return std::nullopt;
    }
    return Side{.model = *std::move(model), .inputs = *std::move(inputs), .name = input.name};
}

}  // namespace nn::cli
