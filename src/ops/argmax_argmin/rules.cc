#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/argmax_argmin/signature.h"

namespace nn::ops {
namespace argmax_argmin {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    Shape shape = op.input(kInput).shape();
    const auto axis = op.int32(kAxis);
    if (!requireAxis(op, "argmax_argmin.axis", kAxis, axis, op.input(kInput).rank())) return false;
    if (!shape) return true;
    if (shape->size() == 1) {
        outputs[0] = {Dim(1)};
    } else if (!axis) {
        outputs[0] = shapeOfRank(shape->size() - 1);
    } else {
        shape->erase(shape->begin() + static_cast<ptrdiff_t>(*resolveAxis(*axis, shape->size())));
        outputs[0] = std::move(shape);
    }
    return true;
}

}  // namespace
}  // namespace argmax_argmin

const OperationSpec specs::ARGMAX{.type = OperationType::ARGMAX,
                                  .types = argmax_argmin::kTypes,
                                  .forms = argmax_argmin::kForms,
                                  .ruleTexts = argmax_argmin::kRules,
                                  .inferShapes = argmax_argmin::inferShapes};
const OperationSpec specs::ARGMIN{.type = OperationType::ARGMIN,
                                  .types = argmax_argmin::kTypes,
                                  .forms = argmax_argmin::kForms,
                                  .ruleTexts = argmax_argmin::kRules,
                                  .inferShapes = argmax_argmin::inferShapes};

}  // namespace nn::ops
