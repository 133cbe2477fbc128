#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/comparison/signature.h"

namespace nn::ops {
namespace comparison {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return broadcast(op, "comparison.shapes", kInput0, kInput1, outputs[0]);
}

consteval OperationSpec spec(OperationType type) {
    return {.type = type,
            .types = kTypes,
            .forms = kForms,
            .ruleTexts = kRules,
            .inferShapes = inferShapes};
}

}  // namespace
}  // namespace comparison

const OperationSpec specs::EQUAL = comparison::spec(OperationType::EQUAL);
const OperationSpec specs::GREATER = comparison::spec(OperationType::GREATER);
const OperationSpec specs::GREATER_EQUAL = comparison::spec(OperationType::GREATER_EQUAL);
const OperationSpec specs::LESS = comparison::spec(OperationType::LESS);
const OperationSpec specs::LESS_EQUAL = comparison::spec(OperationType::LESS_EQUAL);
const OperationSpec specs::NOT_EQUAL = comparison::spec(OperationType::NOT_EQUAL);

}  // namespace nn::ops
