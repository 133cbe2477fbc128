// view: a page with the drawing of a model, its parts, and the losses of its conversion.
#include "base/status_message.h"
#include "nnapi/convert.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/commands/support.h"
#include "tools/nnapi/graphviz.h"
#include "tools/nnapi/model_page.h"
#include "tools/nnapi/output_files.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

// Of the import, and of the conversion to --hal.
std::vector<LossList> lossesOf(const Input& input, const Model& model, const Options& options) {
    std::vector<LossList> lists;
    if (input.import) lists.push_back({.title = "Import", .losses = input.import->losses});
    if (!options.hal) return lists;
    LossList& list = lists.emplace_back();
    list.title = fmt::format("Conversion to {}", titleOf(*options.hal));
    const Result<HalModel> converted = convertTo(*options.hal, model, &list.losses, options.limits);
    if (!converted.ok()) list.refusal = messageOf(converted.status());
    return lists;
}

Exit viewModels(const Options& options, const DrawingChoice& choice) {
    Result<ModelFiles> files = ModelFiles::open(options.out, {}, ".html");
    Status writable = files.status();
    if (writable.ok()) writable = files->requireFileForEach(inputFileCount(options));
    if (!writable.ok()) return Output::complain(writable);
    const Output output(/*json=*/false);
    bool hasGraphviz = true;
    return forEachInput(options, [&](Input& input) {
        if (!hasGraphviz) return kUsageOrUnreadable;
        const auto fail = [&](const Status& status, Exit exit) {
            Output::complain(fmt::format("{}: {}", input.name, messageOf(status)));
            return exit;
        };
        const Result<Model> model = canonical(std::move(input.model));
        const Result<DrawingOptions> drawn = model.ok() ? choice(input, *model) : model.status();
        if (!drawn.ok()) return fail(drawn.status(), kInvalidOrDiffers);
        Result<std::string> svg = svgOf(drawing(*model, *drawn));
        const bool isTooLarge =
                errorStatus(svg.status()) == ErrorStatus::MISSED_DEADLINE_PERSISTENT;
        hasGraphviz = svg.ok() || isTooLarge;
        if (!hasGraphviz) return fail(svg.status(), kUsageOrUnreadable);
        Html drawnModel;
        if (svg.ok()) {
            drawnModel = Html{*std::move(svg)};
        } else {
            const std::string why = messageOf(svg.status());
            Output::complain(fmt::format("{}: no drawing: {}", input.name, why));
            drawnModel = html("<p>No drawing: {}</p>", why);
        }
        const Html page = modelPage(*model, *drawn, drawnModel, lossesOf(input, *model, options));
        const auto file = files->write(input.name, page.markup);
        if (!file.ok()) return fail(file.status(), kUsageOrUnreadable);
        if (!files->isStandardOutput())
            output.text("{}: written to {}\n", input.name, printable(file->string()));
        return kGood;
    });
}

}  // namespace

Exit viewOn(const SupportQuery& device, const Options& options) {
    return viewModels(options, marksOn(device));
}

Exit view(const Options& options) {
    if (!options.device.empty()) {
        const std::optional<SupportQuery> device = descriptionOf(options);
        return device ? viewOn(*device, options) : kUsageOrUnreadable;
    }
    return viewModels(options, [&](const Input& input, const Model& model) {
        return marksOfVersion(options, input, model);
    });
}

}  // namespace nn::cli
