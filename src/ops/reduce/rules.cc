#include "op_support/rules/dimensions.h"
#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"
#include "ops/reduce/signature.h"

namespace nn::ops {
namespace reduce {
namespace {

void rules(const OpView& op) { requireRank(op, "reduce.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    outputs[0] = reducedShape(op, kInput, kAxes, op.boolean(kKeepsDims));
    return requireRank(op, "reduce.axes", kAxes, 1, 1) &&
           requireAxes(op, "reduce.axes", kAxes, op.input(kInput).rank()) &&
           requireSameQuantization(op, "reduce.quantization", kInput, 0);
}

}  // namespace
}  // namespace reduce

namespace specs {
extern const OperationSpec REDUCE_ALL{.type = OperationType::REDUCE_ALL,
                                      .types = reduce::kLogicalTypes,
                                      .forms = reduce::kForms,
                                      .ruleTexts = reduce::kRules,
                                      .rules = reduce::rules,
                                      .inferShapes = reduce::inferShapes};
extern const OperationSpec REDUCE_ANY{.type = OperationType::REDUCE_ANY,
                                      .types = reduce::kLogicalTypes,
                                      .forms = reduce::kForms,
                                      .ruleTexts = reduce::kRules,
                                      .rules = reduce::rules,
                                      .inferShapes = reduce::inferShapes};
extern const OperationSpec REDUCE_MAX{.type = OperationType::REDUCE_MAX,
                                      .types = reduce::kOrderedTypes,
                                      .forms = reduce::kForms,
                                      .ruleTexts = reduce::kRules,
                                      .rules = reduce::rules,
                                      .inferShapes = reduce::inferShapes};
extern const OperationSpec REDUCE_MIN{.type = OperationType::REDUCE_MIN,
                                      .types = reduce::kOrderedTypes,
                                      .forms = reduce::kForms,
                                      .ruleTexts = reduce::kRules,
                                      .rules = reduce::rules,
                                      .inferShapes = reduce::inferShapes};
extern const OperationSpec REDUCE_PROD{.type = OperationType::REDUCE_PROD,
                                       .types = reduce::kRealTypes,
                                       .forms = reduce::kForms,
                                       .ruleTexts = reduce::kRules,
                                       .rules = reduce::rules,
                                       .inferShapes = reduce::inferShapes};
extern const OperationSpec REDUCE_SUM{.type = OperationType::REDUCE_SUM,
                                      .types = reduce::kRealTypes,
                                      .forms = reduce::kForms,
                                      .ruleTexts = reduce::kRules,
                                      .rules = reduce::rules,
                                      .inferShapes = reduce::inferShapes};
}  // namespace specs
}  // namespace nn::ops
