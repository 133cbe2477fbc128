#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/instance_normalization/signature.h"

namespace nn::ops {
namespace instance_normalization {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireRank(op, "instance_normalization.rank", kInput, 4, 4);
}

}  // namespace
}  // namespace instance_normalization

const OperationSpec specs::INSTANCE_NORMALIZATION{
        .type = OperationType::INSTANCE_NORMALIZATION,
        .types = instance_normalization::kTypes,
        .forms = instance_normalization::kForms,
        .ruleTexts = instance_normalization::kRules,
        .inferShapes = instance_normalization::inferShapes};

}  // namespace nn::ops
