#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/select/signature.h"

namespace nn::ops {
namespace select {
namespace {

// Combines the known dimensions of an input with those of earlier inputs; false after a report.
bool agree(const OpView& op, size_t input, Shape& known) {
    const Shape shape = op.input(input).shape();
    if (!known) known = shape;
    if (!shape) return true;
    if (!op.require(shape->size() == known->size(), "select.shapes",
                    "{} has rank {}, allowed {} as the inputs before", op.in(input), shape->size(),
                    known->size())) {
        return false;
    }
    for (size_t i = 0; i < shape->size(); ++i) {
        const Dim size = (*shape)[i];
        Dim& before = (*known)[i];
        if (!before) before = size;
        if (!op.require(!size || size == before, "select.shapes",
                        "dimension {} of {} is {}, allowed {} as in the inputs before", i,
                        op.in(input), size.value_or(0), before.value_or(0))) {
            return false;
        }
    }
    return true;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    return agree(op, kMask, outputs[0]) && agree(op, kInput1, outputs[0]) &&
           agree(op, kInput2, outputs[0]);
}

}  // namespace
}  // namespace select

const OperationSpec specs::SELECT{.type = OperationType::SELECT,
                                  .types = select::kTypes,
                                  .forms = select::kForms,
                                  .ruleTexts = select::kRules,
                                  .inferShapes = select::inferShapes};

}  // namespace nn::ops
