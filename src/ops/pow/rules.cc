#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/pow/signature.h"

namespace nn::ops {
namespace pow {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return broadcast(op, "pow.shapes", kBase, kExponent, outputs[0]);
}

}  // namespace
}  // namespace pow

const OperationSpec specs::POW{.type = OperationType::POW,
                               .types = pow::kTypes,
                               .forms = pow::kForms,
                               .ruleTexts = pow::kRules,
                               .inferShapes = pow::inferShapes};

}  // namespace nn::ops
