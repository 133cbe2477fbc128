#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/relu/signature.h"

namespace nn::ops {
namespace relu {
namespace {

void rules(const OpView& op) { requireRank(op, "relu.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireSameQuantization(op, "relu.quantization", kInput, 0);
}

consteval OperationSpec spec(OperationType type) {
    return {.type = type,
            .types = kTypes,
            .forms = kForms,
            .ruleTexts = kRules,
            .rules = rules,
            .inferShapes = inferShapes,
            .allowsZeroSizedInputs = true};
}

}  // namespace
}  // namespace relu

const OperationSpec specs::RELU = relu::spec(OperationType::RELU);
const OperationSpec specs::RELU1 = relu::spec(OperationType::RELU1);
const OperationSpec specs::RELU6 = relu::spec(OperationType::RELU6);

}  // namespace nn::ops
