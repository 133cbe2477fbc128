#include "op_support/rules/dimensions.h"
#include "op_support/rules/recurrent_rules.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/specs.h"
#include "ops/svdf/signature.h"

namespace nn::ops {
namespace svdf {
namespace {

constexpr std::string_view kShapes = "svdf.shapes";

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Value& features = op.input(kFeatureWeights);
    const Value& times = op.input(kTimeWeights);
    const Dim filters = firstKnown({features.dim(0), times.dim(0)});
    const Dim memory = times.dim(1);
    const Dim inputSize = firstKnown({op.input(kInput).dim(1), features.dim(1)});
    const Dim batches = firstKnown({op.input(kInput).dim(0), op.input(kState).dim(0)});
    const auto rank = op.int32(kRank);
    if (!requireRecurrentActivation(op, "svdf.activation", kActivation) ||
        !requireAtLeast(op, "svdf.rank", kRank, 1) ||
        !op.require(!rank || !filters || *filters % static_cast<uint32_t>(*rank) == 0, "svdf.rank",
                    "{} is {}, allowed divisors of {}, the number of filters", op.in(kRank),
                    rank.value_or(0), filters.value_or(0))) {
        return false;
    }
    Dim units;
    if (rank && filters) units = *filters / static_cast<uint32_t>(*rank);
    Dim stateSize;
    if (filters && memory && !setSize(op, kShapes, 1, uint64_t{*filters} * *memory, stateSize)) {
        return false;
    }
    outputs[kStateOut] = {batches, firstKnown({stateSize, op.input(kState).dim(1)})};
    outputs[kOutput] = {batches, units};
    return requireDimensions(op, kShapes, kInput, {batches, inputSize}) &&
           requireDimensions(op, kShapes, kFeatureWeights, {filters, inputSize}) &&
           requireDimensions(op, kShapes, kTimeWeights, {filters, memory}) &&
           requireDimAtLeast(op, kShapes, kTimeWeights, 1, 1) &&
           (!op.has(kBias) || requireDimensions(op, kShapes, kBias, {units})) &&
           requireDimensions(op, kShapes, kState, {batches, stateSize});
}

}  // namespace
}  // namespace svdf

const OperationSpec specs::SVDF{.type = OperationType::SVDF,
                                .types = svdf::kTypes,
                                .forms = svdf::kForms,
                                .ruleTexts = svdf::kRules,
                                .inferShapes = svdf::inferShapes};

}  // namespace nn::ops
