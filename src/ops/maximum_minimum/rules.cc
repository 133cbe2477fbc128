#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/maximum_minimum/signature.h"

namespace nn::ops {
namespace maximum_minimum {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return broadcast(op, "maximum_minimum.shapes", kInput0, kInput1, outputs[0]);
}

consteval OperationSpec spec(OperationType type) {
    return {.type = type,
            .types = kTypes,
            .forms = kForms,
            .ruleTexts = kRules,
            .inferShapes = inferShapes};
}

}  // namespace
}  // namespace maximum_minimum

const OperationSpec specs::MAXIMUM = maximum_minimum::spec(OperationType::MAXIMUM);
const OperationSpec specs::MINIMUM = maximum_minimum::spec(OperationType::MINIMUM);

}  // namespace nn::ops
