#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"
#include "ops/elementwise/signature.h"

namespace nn::ops {
namespace elementwise {
namespace {

void floorRules(const OpView& op) { requireRank(op, "elementwise.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return true;
}

consteval OperationSpec spec(OperationType type, std::span<const Types> types,
                             Rules rules = nullptr) {
    return {.type = type,
            .types = types,
            .forms = kForms,
            .ruleTexts = kRules,
            .rules = rules,
            .inferShapes = inferShapes};
}

}  // namespace
}  // namespace elementwise

namespace specs {
extern const OperationSpec ABS = elementwise::spec(OperationType::ABS, elementwise::kAbsTypes);
extern const OperationSpec EXP = elementwise::spec(OperationType::EXP, elementwise::kFloatTypes);
extern const OperationSpec FLOOR =
        elementwise::spec(OperationType::FLOOR, elementwise::kFloorTypes, elementwise::floorRules);
extern const OperationSpec LOG = elementwise::spec(OperationType::LOG, elementwise::kFloatTypes);
extern const OperationSpec NEG = elementwise::spec(OperationType::NEG, elementwise::kNegTypes);
extern const OperationSpec RSQRT =
        elementwise::spec(OperationType::RSQRT, elementwise::kRsqrtTypes);
extern const OperationSpec SIN = elementwise::spec(OperationType::SIN, elementwise::kFloatTypes);
extern const OperationSpec SQRT = elementwise::spec(OperationType::SQRT, elementwise::kFloatTypes);
}  // namespace specs
}  // namespace nn::ops
