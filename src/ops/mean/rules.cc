#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/mean/signature.h"

namespace nn::ops {
namespace mean {
namespace {

void rules(const OpView& op) { requireRank(op, "mean.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto keepsDims = op.int32(kKeepsDims);
    outputs[0] = reducedShape(op, kInput, kAxes,
                              keepsDims ? std::optional(*keepsDims > 0) : std::nullopt);
    return requireRank(op, "mean.axes", kAxes, 1, 1) &&
           requireAxes(op, "mean.axes", kAxes, op.input(kInput).rank()) &&
           requireSameQuantization(op, "mean.quantization", kInput, 0);
}

}  // namespace
}  // namespace mean

const OperationSpec specs::MEAN{.type = OperationType::MEAN,
                                .types = mean::kTypes,
                                .forms = mean::kForms,
                                .ruleTexts = mean::kRules,
                                .rules = mean::rules,
                                .inferShapes = mean::inferShapes};

}  // namespace nn::ops
