#include "cli/command.h"
#include "nnapi/graph_dump.h"

namespace nn::cli {

Exit dot(const Options& options) {
    const Output output(/*json=*/false);
    return forEachInput(options, [&](Input& input) {
        const Result<Model> model = canonical(std::move(input.model));
        if (!model.ok()) {
            Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())));
            return kInvalidOrDiffers;
        }
        output.text("{}", graphDump(*model, input.name.raw));
        return kGood;
    });
}

}  // namespace nn::cli
