#include <limits>

#include "nnapi/checked_math.h"
#include "op_support/rules/dimensions.h"
#include "op_support/rules/image.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/space_to_depth/signature.h"

namespace nn::ops {
namespace space_to_depth {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto block = op.int32(kBlock);
    const auto isNchw = op.booleanOr(kIsNchw, false);
    outputs[0] = shapeOfRank(4);
    if (!requireRank(op, "space_to_depth.rank", kInput, 4, 4) ||
        !op.require(!block || *block > 0, "space_to_depth.block", "{} is {}, allowed above 0",
                    op.in(kBlock), block.value_or(0)) ||
        !requireSameQuantization(op, "space_to_depth.quantization", kInput, 0)) {
        return false;
    }
    const Value& input = op.input(kInput);
    Dims& dims = *outputs[0];
    dims[0] = input.dim(0);
    if (!block || !isNchw) return true;
    const ImageAxes axes = imageAxes(*isNchw);
    const auto size = static_cast<uint32_t>(*block);
    for (const size_t axis : {axes.height, axes.width}) {
        const Dim dim = input.dim(axis);
        if (!dim) continue;
        if (!op.require(*dim % size == 0, "space_to_depth.divides",
                        "dimension {} of {} is {}, allowed a multiple of {} as the block size",
                        axis, op.in(kInput), *dim, size)) {
            return false;
        }
        dims[axis] = *dim / size;
    }
    // The square is at most 2^62; a depth that makes the product overflow 64 bits is too large
    // anyway.
    const Dim depth = input.dim(axes.depth);
    const auto product = checkedMul<uint64_t>(depth, uint64_t{size} * size);
    return !depth ||
           setSize(op, "space_to_depth.size", axes.depth,
                   product.value_or(std::numeric_limits<uint64_t>::max()), dims[axes.depth]);
}

}  // namespace
}  // namespace space_to_depth

const OperationSpec specs::SPACE_TO_DEPTH{.type = OperationType::SPACE_TO_DEPTH,
                                          .types = space_to_depth::kTypes,
                                          .forms = space_to_depth::kForms,
                                          .ruleTexts = space_to_depth::kRules,
                                          .inferShapes = space_to_depth::inferShapes};

}  // namespace nn::ops
