#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/strided_slice/bounds.h"
#include "ops/strided_slice/signature.h"

namespace nn::ops {
namespace strided_slice {
namespace {

void rules(const OpView& op) { requireRank(op, "strided_slice.rank", kInput, 1, 4); }

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Shape shape = op.input(kInput).shape();
    for (const size_t list : {kBegin, kEnd, kStrides}) {
        if (!requireOnePerAxis(op, "strided_slice.bounds", list, kInput)) return false;
    }
    const auto begin = op.ints(kBegin);
    const auto end = op.ints(kEnd);
    const auto strides = op.ints(kStrides);
    for (size_t i = 0; strides && i < strides->size(); ++i) {
        if (!op.require((*strides)[i] != 0, "strided_slice.strides",
                        "element {} of {} is 0, allowed any other", i, op.in(kStrides))) {
            return false;
        }
    }
    if (!requireSameQuantization(op, "strided_slice.quantization", kInput, 0)) return false;

    const auto beginMask = op.int32(kBeginMask);
    const auto endMask = op.int32(kEndMask);
    const auto shrinkMask = op.int32(kShrinkAxisMask);
    if (!shape || !shrinkMask) return true;
    Dims rest;
    for (size_t i = 0; i < shape->size(); ++i) {
        const Dim size = (*shape)[i];
        Dim length;
        if (size && begin && end && strides && beginMask && endMask) {
            const Bounds bounds = boundsOf(*size, (*begin)[i], (*end)[i], (*strides)[i],
                                           hasBit(*beginMask, i), hasBit(*endMask, i));
            length = static_cast<uint32_t>(bounds.length);
        }
        if (!hasBit(*shrinkMask, i)) {
            rest.push_back(length);
        } else if (!op.require(
                           (!strides || (*strides)[i] > 0) && length.value_or(1) == 1,
                           "strided_slice.shrink",
                           "axis {} has {} with stride {}, allowed 1 with a stride above 0 where "
                           "{} removes it",
                           i, Plural{length.value_or(1), "elements"}, strides ? (*strides)[i] : 1,
                           op.in(kShrinkAxisMask))) {
            return false;
        }
    }
    if (rest.empty()) rest.emplace_back(1);
    outputs[0] = std::move(rest);
    return true;
}

}  // namespace
}  // namespace strided_slice

const OperationSpec specs::STRIDED_SLICE{.type = OperationType::STRIDED_SLICE,
                                         .types = strided_slice::kTypes,
                                         .forms = strided_slice::kForms,
                                         .ruleTexts = strided_slice::kRules,
                                         .rules = strided_slice::rules,
                                         .inferShapes = strided_slice::inferShapes};

}  // namespace nn::ops
