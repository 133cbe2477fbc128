#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/reverse/signature.h"

namespace nn::ops {
namespace reverse {
namespace {

void rules(const OpView& op) {
    requireOutputRank(op, "reverse.rank", kInput);
    requireDimensions(op, "reverse.axis", kAxis, {1});
    if (isQuant8Asymm(op.input(kInput).type))
        requireSameQuantization(op, "reverse.quantization", kInput, 0);
}

// A negative axis is not allowed.
bool requireAxis(const OpView& op) {
    const auto axes = op.ints(kAxis);
    const auto rank = op.input(kInput).rank();
    if (!axes || !rank) return true;
    const int32_t axis = axes->front();
    return op.require(axis >= 0 && static_cast<size_t>(axis) < *rank, "reverse.axis",
                      "element 0 of {} is {}, allowed 0 to {} for rank {}", op.in(kAxis), axis,
                      static_cast<int64_t>(*rank) - 1, *rank);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireRank(op, "reverse.rank", kInput, 1, 8) &&
           requireDimensions(op, "reverse.axis", kAxis, {1}) && requireAxis(op);
}

}  // namespace
}  // namespace reverse

const OperationSpec specs::REVERSE{.type = OperationType::REVERSE,
                                   .types = reverse::kTypes,
                                   .forms = reverse::kForms,
                                   .ruleTexts = reverse::kRules,
                                   .rules = reverse::rules,
                                   .inferShapes = reverse::inferShapes};

}  // namespace nn::ops
