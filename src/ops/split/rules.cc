#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/split/signature.h"

namespace nn::ops {
namespace split {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    const auto axis = op.int32(kAxis);
    const auto count = op.int32(kCount);
    const auto parts = static_cast<uint32_t>(op.outputCount());
    if (!requireAxis(op, "split.axis", kAxis, axis, input.rank()) ||
        !op.require(!count || *count == int64_t{parts}, "split.count",
                    "{} is {}, allowed {} as the number of outputs", op.in(kCount),
                    count.value_or(0), parts)) {
        return false;
    }
    Shape shape = input.shape();
    if (shape && axis) {
        const size_t at = *resolveAxis(*axis, shape->size());
        Dim& dim = (*shape)[at];
        if (!op.require(!dim || *dim % parts == 0, "split.size",
                        "dimension {} of {} is {}, allowed a multiple of {} as the number of "
                        "outputs",
                        at, op.in(kInput), dim.value_or(0), parts)) {
            return false;
        }
        if (dim) *dim /= parts;
    } else if (shape) {
        shape = shapeOfRank(shape->size());
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (!requireSameQuantization(op, "split.quantization", kInput, i)) return false;
        outputs[i] = shape;
    }
    return true;
}

}  // namespace
}  // namespace split

const OperationSpec specs::SPLIT{.type = OperationType::SPLIT,
                                 .types = split::kTypes,
                                 .forms = split::kForms,
                                 .ruleTexts = split::kRules,
                                 .inferShapes = split::inferShapes};

}  // namespace nn::ops
