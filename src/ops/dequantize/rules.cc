#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"
#include "ops/dequantize/signature.h"

namespace nn::ops {
namespace dequantize {
namespace {

void rules(const OpView& op) { requireRank(op, "dequantize.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = op.input(kInput).shape();
    return true;
}

}  // namespace
}  // namespace dequantize

namespace specs {
extern const OperationSpec DEQUANTIZE{.type = OperationType::DEQUANTIZE,
                                      .types = dequantize::kTypes,
                                      .forms = dequantize::kForms,
                                      .ruleTexts = dequantize::kRules,
                                      .rules = dequantize::rules,
                                      .inferShapes = dequantize::inferShapes,
                                      .allowsZeroSizedInputs = true};
}  // namespace specs
}  // namespace nn::ops
