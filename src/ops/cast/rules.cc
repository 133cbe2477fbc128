#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/cast/signature.h"

namespace nn::ops {
namespace cast {
namespace {

void rules(const OpView& op) {
    const Shape input = op.input(kInput).shape();
    const Shape output = op.output(0).shape();
    if (!input || !output) return;
    if (!requireOutputRank(op, "cast.shape", kInput)) return;
    for (size_t i = 0; i < input->size(); ++i) {
        const Dim from = (*input)[i];
        const Dim to = (*output)[i];
        op.require(!from || !to || *from == *to, "cast.shape",
                   "dimension {} of {} is {}, allowed {} as in {}", i, op.out(0), to.value_or(0),
                   from.value_or(0), op.in(kInput));
    }
}

}  // namespace
}  // namespace cast

const OperationSpec specs::CAST{.type = OperationType::CAST,
                                .types = cast::kTypes,
                                .forms = cast::kForms,
                                .ruleTexts = cast::kRules,
                                .rules = cast::rules,
                                .inferShapes = inferSameShape};

}  // namespace nn::ops
