#include <utility>
#include <vector>

#include "nnapi/checked_math.h"
#include "op_support/rules/dimensions.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/concatenation/signature.h"

namespace nn::ops {
namespace concatenation {
namespace {

size_t axisInput(const OpView& op) { return op.inputCount() - 1; }

void rules(const OpView& op) {
    const Value& output = op.output(0);
    for (size_t i = 0; i < axisInput(op); ++i) {
        const Value& input = op.input(i);
        requireRank(op, "concatenation.rank", i, 1, 4);
        if (output.type == TENSOR_QUANT8_ASYMM &&
            (input.scale != output.scale || input.zeroPoint != output.zeroPoint)) {
            op.requireVersion(V1_2, "a quantization that differs between input and output");
        }
    }
}

// The sum of the sizes along the axis; empty while one is unknown.
std::optional<uint64_t> sumAlong(const OpView& op, size_t axis) {
    std::optional<uint64_t> sum = 0;
    for (size_t i = 0; i < axisInput(op); ++i) {
        const Dim size = dimAt(op.input(i).shape(), axis);
        sum = checkedAdd<uint64_t>(sum, size);
    }
    return sum;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    size_t first = 0;  // input of known rank
    while (first < axisInput(op) && !op.input(first).rank()) ++first;
    if (first == axisInput(op)) return true;
    Dims dims = *op.input(first).shape();

    const auto code = op.int32(axisInput(op));
    if (!code) {
        outputs[0] = shapeOfRank(dims.size());
        return true;
    }
    const auto axis = static_cast<size_t>(*code);
    if (!op.require(*code >= 0 && axis < dims.size(), "concatenation.axis",
                    "{} is {}, allowed 0 to {} for rank {}", op.in(axisInput(op)), *code,
                    static_cast<int64_t>(dims.size()) - 1, dims.size())) {
        return false;
    }
    for (size_t i = first + 1; i < axisInput(op); ++i) {
        const Shape shape = op.input(i).shape();
        if (!shape) continue;
        if (!op.require(shape->size() == dims.size(), "concatenation.shapes",
                        "{} has rank {}, allowed {} as {}", op.in(i), shape->size(), dims.size(),
                        op.in(first))) {
            return false;
        }
        for (size_t d = 0; d < dims.size(); ++d) {
            const Dim size = (*shape)[d];
            if (d == axis || !size) continue;
            if (!dims[d]) dims[d] = size;
            if (!op.require(size == dims[d], "concatenation.shapes",
                            "dimension {} of {} is {}, allowed {} as in the inputs before", d,
                            op.in(i), *size, *dims[d])) {
                return false;
            }
        }
    }
    const auto sum = sumAlong(op, axis);
    dims[axis].reset();
    if (sum && !setSize(op, "concatenation.size", axis, *sum, dims[axis])) return false;
    outputs[0] = std::move(dims);
    return true;
}

}  // namespace
}  // namespace concatenation

const OperationSpec specs::CONCATENATION{.type = OperationType::CONCATENATION,
                                         .types = concatenation::kTypes,
                                         .forms = concatenation::kForms,
                                         .ruleTexts = concatenation::kRules,
                                         .rules = concatenation::rules,
                                         .inferShapes = concatenation::inferShapes,
                                         .allowsZeroSizedInputs = true};

}  // namespace nn::ops
