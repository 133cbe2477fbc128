#include <algorithm>

#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/arithmetic/signature.h"

namespace nn::ops {
namespace arithmetic {
namespace {

void rules(const OpView& op) {
    if (!op.input(kInput0).rank() || !op.input(kInput1).rank()) return;
    for (const size_t input : {kInput0, kInput1}) requireRank(op, "arithmetic.rank", input, 1, 4);
}

void mulRules(const OpView& op) {
    rules(op);
    if (!isQuant8Asymm(op.output(0).type)) return;
    const float product = op.input(kInput0).scale * op.input(kInput1).scale;
    op.require(op.output(0).scale > product, "arithmetic.mul_scale",
               "{} has scale {}, allowed above {}, the product of the scales of the inputs",
               op.out(0), op.output(0).scale, product);
}

bool requireActivationOf(const OpView& op) {
    const int32_t code = op.int32(kActivation).value_or(0);
    return requireActivation(op, "arithmetic.activation", kActivation) &&
           op.require(code == 0 || op.output(0).type != TENSOR_INT32, "arithmetic.activation",
                      "{} is {}, allowed 0 (NONE) for TENSOR_INT32", op.in(kActivation), code);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return requireActivationOf(op) &&
           broadcast(op, "arithmetic.shapes", kInput0, kInput1, outputs[0]);
}

// Sums are formed with 20 fractional bits of the coarser input.
bool inferShapesOfSum(const OpView& op, std::span<Shape> outputs) {
    if (!inferShapes(op, outputs)) return false;
    if (!isQuant8Asymm(op.output(0).type)) return true;
    const double coarser = std::max(op.input(kInput0).scale, op.input(kInput1).scale);
    const double least = coarser / (1 << 19);
    return op.require(op.output(0).scale > least, "arithmetic.sum_scale",
                      "{} has scale {}, allowed above {}, the larger scale of the inputs / 2^19",
                      op.out(0), op.output(0).scale, least);
}

}  // namespace
}  // namespace arithmetic

const OperationSpec specs::ADD{.type = OperationType::ADD,
                               .types = arithmetic::kAddAndMulTypes,
                               .forms = arithmetic::kForms,
                               .ruleTexts = arithmetic::kRules,
                               .rules = arithmetic::rules,
                               .inferShapes = arithmetic::inferShapesOfSum,
                               .allowsZeroSizedInputs = true};
const OperationSpec specs::SUB{.type = OperationType::SUB,
                               .types = arithmetic::kSubTypes,
                               .forms = arithmetic::kForms,
                               .ruleTexts = arithmetic::kRules,
                               .rules = arithmetic::rules,
                               .inferShapes = arithmetic::inferShapesOfSum,
                               .allowsZeroSizedInputs = true};
const OperationSpec specs::MUL{.type = OperationType::MUL,
                               .types = arithmetic::kAddAndMulTypes,
                               .forms = arithmetic::kForms,
                               .ruleTexts = arithmetic::kRules,
                               .rules = arithmetic::mulRules,
                               .inferShapes = arithmetic::inferShapes,
                               .allowsZeroSizedInputs = true};
const OperationSpec specs::DIV{.type = OperationType::DIV,
                               .types = arithmetic::kDivTypes,
                               .forms = arithmetic::kForms,
                               .ruleTexts = arithmetic::kRules,
                               .rules = arithmetic::rules,
                               .inferShapes = arithmetic::inferShapes,
                               .allowsZeroSizedInputs = true};

}  // namespace nn::ops
