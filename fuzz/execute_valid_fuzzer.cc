// Executes generated executable models with arbitrary data: checks the properties of such models,
// and that the same inputs give the same outputs.
#include "fuzz/input.h"
#include "property/models.h"

namespace nn::fuzz {
namespace {

constexpr properties::Violation (*kProperties[])(testing::Source&) = {
        properties::modelsAreValidInTheirVersion,
        properties::validityIsMonotoneInAllLevels,
        properties::executableModelsExecuteAsInferred,
        properties::modelsWithAPartRemovedAreHandled,
};

}  // namespace

NNAPI_FUZZ_TARGET(execute_valid, CHOICES) {
    testing::Source source(bytes);
    const size_t chosen = source.below(2 * std::size(kProperties));
    if (chosen < std::size(kProperties)) return expectNone(kProperties[chosen](source));

    const Model model = properties::anyExecutable(source, kVersionFeatureLevel8);
    // Fuel ends a loop deterministically; a clock would not.
    const Result<PreparedModel> prepared = prepare(model, {.limits = {.loopFuel = 5000}});
    expect(prepared.ok(), textOf(prepared.status()));
    const std::vector<Tensor> inputs = anyBits(source, model);
    const auto once = prepared->run(inputs);
    const auto twice = prepared->run(inputs);
    expect(once.ok() == twice.ok() && (!once.ok() || *once == *twice), "differs from run to run");
}

}  // namespace nn::fuzz
