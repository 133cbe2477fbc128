#include "base/status_message.h"
#include "nnapi/drawing.h"
#include "nnapi/graph_dump.h"
#include "tools/nnapi/answers.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/input_files.h"

namespace nn::cli {
namespace {

// A model in the colours that the options ask for.
Result<std::string> drawingOf(const Model& model, const std::string& name, const Options& options,
                              const std::optional<DeviceProfile>& device) {
    if (options.all) return graphDump(model, name);
    DrawingOptions how{.name = name};
    if (options.hal) {
        how.marks = marksForVersion(model, toVersion(*options.hal));
        how.caption = fmt::format("red: not legal in {} ({})", titleOf(*options.hal),
                                  counted(how.marks.size(), "operation", "operations"));
    }
    if (device) {
        NNAPI_ASSIGN_OR_RETURN(marks, marksForDevice(model, *device));
        how.marks = std::move(marks);
        how.caption = fmt::format("green: {} supports it; red: it does not", device->name);
    }
    return drawing(model, how);
}

}  // namespace

Exit dot(const Options& options) {
    const Output output(/*json=*/false);
    std::optional<DeviceProfile> device;
    if (!options.device.empty()) {
        device = deviceOf(options);
        if (!device) return kUsageOrUnreadable;
    }
    return forEachInput(options, [&](Input& input) {
        const Result<Model> model = canonical(std::move(input.model));
        const Result<std::string> text =
                model.ok() ? drawingOf(*model, input.name.raw, options, device) : model.status();
        if (!text.ok()) {
            Output::complain(fmt::format("{}: {}", input.name, messageOf(text.status())));
            return kInvalidOrDiffers;
        }
        output.text("{}", Lines{*text});
        return kGood;
    });
}

}  // namespace nn::cli
