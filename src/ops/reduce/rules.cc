#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/reduce/signature.h"

namespace nn::ops {
namespace reduce {
namespace {

void rules(const OpView& op) { requireRank(op, "reduce.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = reducedShape(op, kInput, kAxes, op.boolean(kKeepsDims));
    return requireRank(op, "reduce.axes", kAxes, 1, 1) &&
           requireAxes(op, "reduce.axes", kAxes, op.input(kInput).rank()) &&
           requireSameQuantization(op, "reduce.quantization", kInput, 0);
}

consteval OperationSpec spec(OperationType type, std::span<const Types> types) {
    return {.type = type,
            .types = types,
            .forms = kForms,
            .ruleTexts = kRules,
            .rules = rules,
            .inferShapes = inferShapes};
}

}  // namespace
}  // namespace reduce

const OperationSpec specs::REDUCE_ALL =
        reduce::spec(OperationType::REDUCE_ALL, reduce::kLogicalTypes);
const OperationSpec specs::REDUCE_ANY =
        reduce::spec(OperationType::REDUCE_ANY, reduce::kLogicalTypes);
const OperationSpec specs::REDUCE_MAX =
        reduce::spec(OperationType::REDUCE_MAX, reduce::kOrderedTypes);
const OperationSpec specs::REDUCE_MIN =
        reduce::spec(OperationType::REDUCE_MIN, reduce::kOrderedTypes);
const OperationSpec specs::REDUCE_PROD =
        reduce::spec(OperationType::REDUCE_PROD, reduce::kRealTypes);
const OperationSpec specs::REDUCE_SUM = reduce::spec(OperationType::REDUCE_SUM, reduce::kRealTypes);

}  // namespace nn::ops
