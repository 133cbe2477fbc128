#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/logistic_tanh/signature.h"

namespace nn::ops {
namespace logistic_tanh {
namespace {

void rules(const OpView& op) { requireRank(op, "logistic_tanh.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, FixedQuantization fixed, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    outputs[0] = input.shape();
    return op.require(!isQuant8Asymm(input.type) || input.scale > 0x1p-27f, "logistic_tanh.scale",
                      "{} has scale {}, allowed above 2^-27", op.in(kInput), input.scale) &&
           requireQuantization(op, "logistic_tanh.quantization", fixed);
}

bool inferLogistic(const OpView& op, std::span<Shape> outputs) {
    return inferShapes(op, kUnitInterval, outputs);
}

bool inferTanh(const OpView& op, std::span<Shape> outputs) {
    return inferShapes(op, kSymmetricUnitInterval, outputs);
}

}  // namespace
}  // namespace logistic_tanh

const OperationSpec specs::LOGISTIC{.type = OperationType::LOGISTIC,
                                    .types = logistic_tanh::kLogisticTypes,
                                    .forms = logistic_tanh::kForms,
                                    .ruleTexts = logistic_tanh::kRules,
                                    .rules = logistic_tanh::rules,
                                    .inferShapes = logistic_tanh::inferLogistic,
                                    .allowsZeroSizedInputs = true};
const OperationSpec specs::TANH{.type = OperationType::TANH,
                                .types = logistic_tanh::kTanhTypes,
                                .forms = logistic_tanh::kForms,
                                .ruleTexts = logistic_tanh::kRules,
                                .rules = logistic_tanh::rules,
                                .inferShapes = logistic_tanh::inferTanh,
                                .allowsZeroSizedInputs = true};

}  // namespace nn::ops
