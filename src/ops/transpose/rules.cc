#include "op_support/rules/dimensions.h"

#include <absl/algorithm/container.h>

#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/transpose/signature.h"

namespace nn::ops {
namespace transpose {
namespace {

void rules(const OpView& op) { requireRank(op, "transpose.rank", kInput, 1, 4); }

// The list must contain each index below the rank once.
bool requirePermutation(const OpView& op, std::span<const int32_t> list, size_t rank) {
    std::vector<bool> seen(rank);
    for (size_t i = 0; i < list.size(); ++i) {
        const auto axis = static_cast<size_t>(list[i]);
        const bool isNew = list[i] >= 0 && axis < rank && !seen[axis];
        if (!op.require(isNew, "transpose.perm",
                        "element {} of {} is {}, allowed a permutation of 0 to {}", i,
                        op.in(kPermutation), list[i], rank - 1)) {
            return false;
        }
        seen[axis] = true;
    }
    return true;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    Shape shape = op.input(kInput).shape();
    if (!requireSameQuantization(op, "transpose.quantization", kInput, 0)) return false;
    if (!op.has(kPermutation)) {
        if (shape) absl::c_reverse(*shape);
        outputs[0] = std::move(shape);
        return true;
    }
    if (!requireOnePerAxis(op, "transpose.perm", kPermutation, kInput)) return false;
    const auto list = op.ints(kPermutation);
    outputs[0] = shapeOfRank(op.input(kInput).rank());
    if (!shape || !list) return true;
    if (!requirePermutation(op, *list, shape->size())) return false;
    for (size_t i = 0; i < shape->size(); ++i) {
        (*outputs[0])[i] = (*shape)[static_cast<size_t>((*list)[i])];
    }
    return true;
}

}  // namespace
}  // namespace transpose

const OperationSpec specs::TRANSPOSE{.type = OperationType::TRANSPOSE,
                                     .types = transpose::kTypes,
                                     .forms = transpose::kForms,
                                     .ruleTexts = transpose::kRules,
                                     .rules = transpose::rules,
                                     .inferShapes = transpose::inferShapes,
                                     .allowsZeroSizedInputs = true};

}  // namespace nn::ops
