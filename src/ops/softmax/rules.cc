#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/softmax/signature.h"

namespace nn::ops {
namespace softmax {
namespace {

void rules(const OpView& op) {
    const auto rank = op.input(kInput).rank();
    if (!rank) return;
    op.require(*rank >= 1 && *rank <= 4, "softmax.rank", "{} has rank {}, allowed 1 to 4",
               op.in(kInput), *rank);
    if (!op.has(kAxis) && *rank != 2 && *rank != 4)
        op.requireVersion(V1_2, "a rank other than 2 and 4");
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto beta = op.real(kBeta);
    outputs[0] = op.input(kInput).shape();
    return requireAxis(op, "softmax.axis", kAxis, op.int32Or(kAxis, -1), op.input(kInput).rank()) &&
           op.require(!beta || *beta > 0, "softmax.beta", "{} is {}, allowed above 0", op.in(kBeta),
                      beta.value_or(0)) &&
           requireQuantization(op, "softmax.quantization", kUnitInterval);
}

}  // namespace
}  // namespace softmax

const OperationSpec specs::SOFTMAX{.type = OperationType::SOFTMAX,
                                   .types = softmax::kTypes,
                                   .forms = softmax::kForms,
                                   .ruleTexts = softmax::kRules,
                                   .rules = softmax::rules,
                                   .inferShapes = softmax::inferShapes,
                                   .allowsZeroSizedInputs = true};

}  // namespace nn::ops
