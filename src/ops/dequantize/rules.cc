#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/dequantize/signature.h"

namespace nn::ops {
namespace dequantize {
namespace {

void rules(const OpView& op) { requireRank(op, "dequantize.rank", kInput, 1, 4); }

}  // namespace
}  // namespace dequantize

const OperationSpec specs::DEQUANTIZE{.type = OperationType::DEQUANTIZE,
                                      .types = dequantize::kTypes,
                                      .forms = dequantize::kForms,
                                      .ruleTexts = dequantize::kRules,
                                      .rules = dequantize::rules,
                                      .inferShapes = inferSameShape,
                                      .allowsZeroSizedInputs = true};

}  // namespace nn::ops
