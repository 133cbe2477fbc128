#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/l2_normalization/signature.h"

namespace nn::ops {
namespace l2_normalization {
namespace {

void rules(const OpView& op) {
    requireRank(op, "l2_normalization.rank", kInput, 1, 4);
    if (op.input(kInput).rank() != 4) op.requireVersion(V1_2, "a rank other than 4");
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return requireAxis(op, "l2_normalization.axis", kAxis, op.int32Or(kAxis, -1),
                       op.input(kInput).rank()) &&
           requireQuantization(op, "l2_normalization.quantization", kSymmetricUnitInterval);
}

}  // namespace
}  // namespace l2_normalization

const OperationSpec specs::L2_NORMALIZATION{.type = OperationType::L2_NORMALIZATION,
                                            .types = l2_normalization::kTypes,
                                            .forms = l2_normalization::kForms,
                                            .ruleTexts = l2_normalization::kRules,
                                            .rules = l2_normalization::rules,
                                            .inferShapes = l2_normalization::inferShapes};

}  // namespace nn::ops
