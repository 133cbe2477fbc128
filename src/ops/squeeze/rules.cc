#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/squeeze/signature.h"

namespace nn::ops {
namespace squeeze {
namespace {

void rules(const OpView& op) { requireRank(op, "squeeze.rank", kInput, 1, 4); }

// Without a list every dimension of 1 is removed, so the shape must be known.
Shape withoutOnes(const Shape& shape) {
    if (!shape) return std::nullopt;
    Dims rest;
    for (const Dim& dim : *shape) {
        if (!dim) return std::nullopt;
        if (*dim != 1) rest.push_back(dim);
    }
    if (rest.empty()) rest.emplace_back(1);
    return rest;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Shape shape = op.input(kInput).shape();
    if (!requireSameQuantization(op, "squeeze.quantization", kInput, 0)) return false;
    if (!op.has(kSqueezeDims)) {
        outputs[0] = withoutOnes(shape);
        return true;
    }
    if (!requireAxes(op, "squeeze.dims", kSqueezeDims, op.input(kInput).rank())) return false;
    outputs[0] = reducedShape(op, kInput, kSqueezeDims, false);
    const auto axes = op.ints(kSqueezeDims);
    if (!axes || !shape) return true;
    const std::vector<bool> isNamed = namedAxes(*axes, shape->size());
    for (size_t i = 0; i < shape->size(); ++i) {
        const Dim dim = (*shape)[i];
        if (!isNamed[i]) continue;
        if (!op.require(dim.value_or(1) == 1, "squeeze.one",
                        "dimension {} of {} is {}, allowed 1 where it is squeezed", i,
                        op.in(kInput), dim.value_or(1))) {
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace squeeze

const OperationSpec specs::SQUEEZE{.type = OperationType::SQUEEZE,
                                   .types = squeeze::kTypes,
                                   .forms = squeeze::kForms,
                                   .ruleTexts = squeeze::kRules,
                                   .rules = squeeze::rules,
                                   .inferShapes = squeeze::inferShapes};

}  // namespace nn::ops
