#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/gather/signature.h"

namespace nn::ops {
namespace gather {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Shape shape = op.input(kInput).shape();
    const Shape indices = op.input(kIndices).shape();
    const auto axis = op.int32(kAxis);
    if (!requireAxis(op, "gather.axis", kAxis, axis, op.input(kInput).rank())) return false;
    if (!shape || !indices) return true;
    if (!axis) {
        outputs[0] = shapeOfRank(shape->size() - 1 + indices->size());
        return true;
    }
    const auto at = shape->begin() + static_cast<ptrdiff_t>(*resolveAxis(*axis, shape->size()));
    Dims dims(shape->begin(), at);
    dims.insert(dims.end(), indices->begin(), indices->end());
    dims.insert(dims.end(), at + 1, shape->end());
    outputs[0] = std::move(dims);
    return true;
}

}  // namespace
}  // namespace gather

const OperationSpec specs::GATHER{.type = OperationType::GATHER,
                                  .types = gather::kTypes,
                                  .forms = gather::kForms,
                                  .ruleTexts = gather::kRules,
                                  .inferShapes = gather::inferShapes};

}  // namespace nn::ops
