#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/log_softmax/signature.h"

namespace nn::ops {
namespace log_softmax {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireAxis(op, "log_softmax.axis", kAxis, op.int32(kAxis), op.input(kInput).rank());
}

}  // namespace
}  // namespace log_softmax

const OperationSpec specs::LOG_SOFTMAX{.type = OperationType::LOG_SOFTMAX,
                                       .types = log_softmax::kTypes,
                                       .forms = log_softmax::kForms,
                                       .ruleTexts = log_softmax::kRules,
                                       .inferShapes = log_softmax::inferShapes};

}  // namespace nn::ops
