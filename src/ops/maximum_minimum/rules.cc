#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"
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

namespace specs {
extern const OperationSpec MAXIMUM = maximum_minimum::spec(OperationType::MAXIMUM);
extern const OperationSpec MINIMUM = maximum_minimum::spec(OperationType::MINIMUM);
}  // namespace specs
}  // namespace nn::ops
