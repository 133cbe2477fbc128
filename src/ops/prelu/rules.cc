#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/prelu/signature.h"

namespace nn::ops {
namespace prelu {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return broadcast(op, "prelu.shapes", kInput, kAlpha, outputs[0]);
}

}  // namespace
}  // namespace prelu

const OperationSpec specs::PRELU{.type = OperationType::PRELU,
                                 .types = prelu::kTypes,
                                 .forms = prelu::kForms,
                                 .ruleTexts = prelu::kRules,
                                 .inferShapes = prelu::inferShapes};

}  // namespace nn::ops
