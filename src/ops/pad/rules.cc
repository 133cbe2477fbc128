#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/pad/signature.h"

namespace nn::ops {
namespace pad {
namespace {

void rules(const OpView& op) {
    requireRank(op, "pad.rank", kInput, 1, 4);
    const Value& input = op.input(kInput);
    if (op.type() == OperationType::PAD && isQuant8Asymm(input.type) && input.zeroPoint != 0) {
        op.requireVersion(V1_2, "a zeroPoint other than 0");
    }
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    auto shape = paddedShape(op, "pad.paddings", kInput, kPaddings);
    if (!shape) return false;
    outputs[0] = std::move(*shape);
    return requireSameQuantization(op, "pad.quantization", kInput, 0);
}

}  // namespace
}  // namespace pad

const OperationSpec specs::PAD{.type = OperationType::PAD,
                               .types = pad::kTypes,
                               .forms = pad::kForms,
                               .ruleTexts = pad::kRules,
                               .rules = pad::rules,
                               .inferShapes = pad::inferShapes};
const OperationSpec specs::PAD_V2{.type = OperationType::PAD_V2,
                                  .types = pad::kTypesV2,
                                  .forms = pad::kFormsV2,
                                  .ruleTexts = pad::kRules,
                                  .rules = pad::rules,
                                  .inferShapes = pad::inferShapes};

}  // namespace nn::ops
