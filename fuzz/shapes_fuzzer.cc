// Shape inference on any valid model: it only adds to the declared shapes, and the outputs of an
// execution fit.
#include "fuzz/input.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "validate/shape_inference.h"

namespace nn::fuzz {
namespace {

KnownDimensions inferred(const Model& model, const Model::Subgraph& graph,
                         const GraphFacts& found) {
    const SmallConstants constants(model, graph);
    Report report({.collectAll = true});
    return inferDimensions(graph, found, &graph == &model.main, constants.data(), Place{}, report);
}

void addsOnly(const Model::Subgraph& graph, const KnownDimensions& known) {
    expect(known.size() == graph.operands.size(), "an operand is missing");
    for (size_t i = 0; i < known.size(); ++i) {
        expect(combineDimensions(graph.operands[i].dimensions, known[i]) == known[i],
               fmt::format("operand {} has {}, inferred {}", i, print(graph.operands[i].dimensions),
                           print(known[i])));
    }
}

}  // namespace

NNAPI_FUZZ_TARGET(shapes, MODEL) {
    const ModelInput input = split(bytes);
    const auto model = canonicalOf(input);
    if (!model) return;
    const Result<ValidatedModel> checked = validateModel(*model);
    if (!checked.ok()) return;
    const ValidationFacts& found = checked->found();
    const KnownDimensions known = inferred(*model, model->main, found.main());
    addsOnly(model->main, known);
    for (size_t i = 0; i < model->referenced.size(); ++i) {
        const Model::Subgraph& graph = model->referenced[i];
        addsOnly(graph, inferred(*model, graph, found.graphs[i + 1]));
    }

    const Result<PreparedModel> prepared = prepare(*checked, littleWork());
    if (!prepared.ok()) return;
    testing::Source source(input.choices);
    const auto outputs = prepared->run(anyBits(source, *model), littleTime());
    if (!outputs.ok()) return;
    for (size_t i = 0; i < outputs->size(); ++i) {
        const std::vector<uint32_t>& given = (*outputs)[i].dimensions;
        expect(combineDimensions(known[model->main.outputIndexes[i]], given) == given,
               fmt::format("output {} has {}, inferred {}", i, print(given),
                           print(known[model->main.outputIndexes[i]])));
    }
}

}  // namespace nn::fuzz
