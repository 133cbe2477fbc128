#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/elementwise/signature.h"

namespace nn::ops {
namespace elementwise {
namespace {

void floorRules(const OpView& op) { requireRank(op, "elementwise.rank", kInput, 1, 4); }

consteval OperationSpec spec(OperationType type, std::span<const Types> types,
                             Rules rules = nullptr) {
    return {.type = type,
            .types = types,
            .forms = kForms,
            .ruleTexts = kRules,
            .rules = rules,
            .inferShapes = inferSameShape};
}

}  // namespace
}  // namespace elementwise

const OperationSpec specs::ABS = elementwise::spec(OperationType::ABS, elementwise::kAbsTypes);
const OperationSpec specs::EXP = elementwise::spec(OperationType::EXP, elementwise::kFloatTypes);
const OperationSpec specs::FLOOR =
        elementwise::spec(OperationType::FLOOR, elementwise::kFloorTypes, elementwise::floorRules);
const OperationSpec specs::LOG = elementwise::spec(OperationType::LOG, elementwise::kFloatTypes);
const OperationSpec specs::NEG = elementwise::spec(OperationType::NEG, elementwise::kNegTypes);
const OperationSpec specs::RSQRT =
        elementwise::spec(OperationType::RSQRT, elementwise::kRsqrtTypes);
const OperationSpec specs::SIN = elementwise::spec(OperationType::SIN, elementwise::kFloatTypes);
const OperationSpec specs::SQRT = elementwise::spec(OperationType::SQRT, elementwise::kFloatTypes);

}  // namespace nn::ops
