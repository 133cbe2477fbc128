#include "op_support/rules/specs.h"
#include "ops/pool_2d/signature.h"

namespace nn::ops {
namespace pool_2d {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    std::optional<int32_t> height, width;
    if (!requireImage(op, "pool_2d.input", kInput) ||
        !readPositive(op, "pool_2d.filter", kFilterHeight[op.form()], height) ||
        !readPositive(op, "pool_2d.filter", kFilterWidth[op.form()], width)) {
        return false;
    }
    const auto windows = slidingWindows(op, kWindowRules, height, width);
    if (!windows) return false;
    outputs[0] = windows->outputShape(windows->input.channels);
    return requireActivation(op, "pool_2d.activation", kActivation[op.form()]) &&
           requireSameQuantization(op, "pool_2d.quantization", kInput, 0);
}

}  // namespace
}  // namespace pool_2d

const OperationSpec specs::AVERAGE_POOL_2D{.type = OperationType::AVERAGE_POOL_2D,
                                           .types = pool_2d::kTypes,
                                           .forms = pool_2d::kForms,
                                           .ruleTexts = pool_2d::kRules,
                                           .inferShapes = pool_2d::inferShapes,
                                           .allowsZeroSizedInputs = true};
const OperationSpec specs::MAX_POOL_2D{.type = OperationType::MAX_POOL_2D,
                                       .types = pool_2d::kTypes,
                                       .forms = pool_2d::kForms,
                                       .ruleTexts = pool_2d::kRules,
                                       .inferShapes = pool_2d::inferShapes,
                                       .allowsZeroSizedInputs = true};
const OperationSpec specs::L2_POOL_2D{.type = OperationType::L2_POOL_2D,
                                      .types = pool_2d::kFloatTypes,
                                      .forms = pool_2d::kForms,
                                      .ruleTexts = pool_2d::kRules,
                                      .inferShapes = pool_2d::inferShapes,
                                      .allowsZeroSizedInputs = true};

}  // namespace nn::ops
