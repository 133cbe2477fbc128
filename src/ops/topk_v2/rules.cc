#include <string>

#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/topk_v2/signature.h"

namespace nn::ops {
namespace topk_v2 {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    Shape shape = op.input(kInput).shape();
    const auto k = op.int32(kCount);
    const Dim size = dimAt(shape, shape ? shape->size() - 1 : 0);
    if (!requireRank(op, "topk_v2.rank", kInput, 1, SIZE_MAX) ||
        !op.require(!k || (*k >= 1 && (!size || *k <= int64_t{*size})), "topk_v2.k",
                    "{} is {}, allowed 1 to {}", op.in(kCount), k.value_or(0),
                    size ? std::to_string(*size) : "the size of the last dimension") ||
        !requireSameQuantization(op, "topk_v2.quantization", kInput, kValues)) {
        return false;
    }
    if (shape) shape->back() = k ? Dim(static_cast<uint32_t>(*k)) : std::nullopt;
    outputs[kValues] = shape;
    outputs[kIndices] = std::move(shape);
    return true;
}

}  // namespace
}  // namespace topk_v2

const OperationSpec specs::TOPK_V2{.type = OperationType::TOPK_V2,
                                   .types = topk_v2::kTypes,
                                   .forms = topk_v2::kForms,
                                   .ruleTexts = topk_v2::kRules,
                                   .inferShapes = topk_v2::inferShapes};

}  // namespace nn::ops
