#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/local_response_normalization/signature.h"

namespace nn::ops {
namespace local_response_normalization {
namespace {

void rules(const OpView& op) {
    requireRank(op, "local_response_normalization.rank", kInput, 1, 4);
    if (op.input(kInput).rank() != 4) op.requireVersion(V1_2, "a rank other than 4");
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireAtLeast(op, "local_response_normalization.radius", kRadius, 0) &&
           requireAxis(op, "local_response_normalization.axis", kAxis, op.int32Or(kAxis, -1),
                       op.input(kInput).rank());
}

}  // namespace
}  // namespace local_response_normalization

const OperationSpec specs::LOCAL_RESPONSE_NORMALIZATION{
        .type = OperationType::LOCAL_RESPONSE_NORMALIZATION,
        .types = local_response_normalization::kTypes,
        .forms = local_response_normalization::kForms,
        .ruleTexts = local_response_normalization::kRules,
        .rules = local_response_normalization::rules,
        .inferShapes = local_response_normalization::inferShapes};

}  // namespace nn::ops
