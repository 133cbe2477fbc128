#include "base/status_message.h"
#include "nnapi/drawing.h"
#include "nnapi/graph_dump.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/commands/support.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

// The Graphviz text of a model.
using Draw = std::function<Result<std::string>(const Input& input, const Model& model)>;

Exit drawModels(const Options& options, const Draw& draw) {
    const Output output(/*json=*/false);
    return forEachInput(options, [&](Input& input) {
        const Result<Model> model = canonical(std::move(input.model));
        const Result<std::string> text = model.ok() ? draw(input, *model) : model.status();
        if (!text.ok()) {
            return Output::complain(fmt::format("{}: {}", input.name, messageOf(text.status())),
                                    kInvalidOrDiffers);
        }
        output.text("{}", Lines{*text});
        return kGood;
    });
}

// What all drawings of a file show: its names.
DrawingOptions drawingOptions(const Input& input) {
    return {.name = input.name.raw, .operandNames = input.names.operandNames};
}

}  // namespace

DrawingChoice marksOn(const SupportQuery& device) {
    return [device](const Input& input, const Model& model) -> Result<DrawingOptions> {
        NNAPI_ASSIGN_OR_RETURN(support, device.supportOf(model));
        DrawingOptions how = drawingOptions(input);
        how.marks = marksForSupport(model, support);
        how.caption = fmt::format("green: {} supports it; red: it does not", device.name);
        return how;
    };
}

Result<DrawingOptions> marksOfVersion(const Options& options, const Input& input,
                                      const Model& model) {
    DrawingOptions how = drawingOptions(input);
    if (!options.hal) return how;
    how.marks = marksForVersion(model, toVersion(*options.hal));
    how.caption = fmt::format("red: not legal in {} ({})", titleOf(*options.hal),
                              counted(how.marks.size(), "operation", "operations"));
    return how;
}

Exit drawOn(const SupportQuery& device, const Options& options) {
    return drawModels(options, [&](const Input& input, const Model& model) -> Result<std::string> {
        NNAPI_ASSIGN_OR_RETURN(how, marksOn(device)(input, model));
        return drawing(model, how);
    });
}

Exit dot(const Options& options) {
    if (!options.device.empty()) {
        const std::optional<SupportQuery> device = descriptionOf(options);
        return device ? drawOn(*device, options) : kUsageOrUnreadable;
    }
    return drawModels(options, [&](const Input& input, const Model& model) -> Result<std::string> {
        if (options.all) return graphDump(model, input.name.raw);
        NNAPI_ASSIGN_OR_RETURN(how, marksOfVersion(options, input, model));
        return drawing(model, how);
    });
}

}  // namespace nn::cli
