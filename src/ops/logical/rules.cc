#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/logical/signature.h"

namespace nn::ops {
namespace logical {
namespace {

bool inferPair(const OpView& op, std::span<Shape> outputs) {
    return broadcast(op, "logical.shapes", kInput0, kInput1, outputs[0]);
}

bool inferNot(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput0).shape();
    return true;
}

}  // namespace
}  // namespace logical

const OperationSpec specs::LOGICAL_AND{.type = OperationType::LOGICAL_AND,
                                       .types = {},
                                       .forms = logical::kPairForms,
                                       .ruleTexts = logical::kRules,
                                       .inferShapes = logical::inferPair};
const OperationSpec specs::LOGICAL_OR{.type = OperationType::LOGICAL_OR,
                                      .types = {},
                                      .forms = logical::kPairForms,
                                      .ruleTexts = logical::kRules,
                                      .inferShapes = logical::inferPair};
const OperationSpec specs::LOGICAL_NOT{.type = OperationType::LOGICAL_NOT,
                                       .types = {},
                                       .forms = logical::kNotForms,
                                       .ruleTexts = logical::kRules,
                                       .inferShapes = logical::inferNot};

}  // namespace nn::ops
