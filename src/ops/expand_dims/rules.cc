#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/expand_dims/signature.h"

namespace nn::ops {
namespace expand_dims {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    Shape shape = op.input(kInput).shape();
    const auto axis = op.int32(kAxis);
    const auto rank = shape ? std::optional(shape->size() + 1) : std::nullopt;  // of the output
    if (!requireAxis(op, "expand_dims.axis", kAxis, axis, rank) ||
        !requireSameQuantization(op, "expand_dims.quantization", kInput, 0)) {
        return false;
    }
    if (!shape || !axis) {
        outputs[0] = shapeOfRank(rank);
        return true;
    }
    const auto at = static_cast<ptrdiff_t>(*resolveAxis(*axis, *rank));
    shape->insert(shape->begin() + at, Dim(1));
    outputs[0] = std::move(shape);
    return true;
}

}  // namespace
}  // namespace expand_dims

const OperationSpec specs::EXPAND_DIMS{.type = OperationType::EXPAND_DIMS,
                                       .types = expand_dims::kTypes,
                                       .forms = expand_dims::kForms,
                                       .ruleTexts = expand_dims::kRules,
                                       .inferShapes = expand_dims::inferShapes};

}  // namespace nn::ops
