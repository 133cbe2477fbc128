#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"
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

namespace specs {
extern const OperationSpec EQUAL = comparison::spec(OperationType::EQUAL);
extern const OperationSpec GREATER = comparison::spec(OperationType::GREATER);
extern const OperationSpec GREATER_EQUAL = comparison::spec(OperationType::GREATER_EQUAL);
extern const OperationSpec LESS = comparison::spec(OperationType::LESS);
extern const OperationSpec LESS_EQUAL = comparison::spec(OperationType::LESS_EQUAL);
extern const OperationSpec NOT_EQUAL = comparison::spec(OperationType::NOT_EQUAL);
}  // namespace specs
}  // namespace nn::ops
