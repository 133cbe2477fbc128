#include "op_support/rules/dimensions.h"
#include "op_support/rules/image.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/depth_to_space/signature.h"

namespace nn::ops {
namespace depth_to_space {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto block = op.int32(kBlock);
    const auto isNchw = op.booleanOr(kIsNchw, false);
    outputs[0] = shapeOfRank(4);
    if (!requireRank(op, "depth_to_space.rank", kInput, 4, 4) ||
        !op.require(!block || *block > 0, "depth_to_space.block", "{} is {}, allowed above 0",
                    op.in(kBlock), block.value_or(0)) ||
        !requireSameQuantization(op, "depth_to_space.quantization", kInput, 0)) {
        return false;
    }
    const Value& input = op.input(kInput);
    Dims& dims = *outputs[0];
    dims[0] = input.dim(0);
    if (!block || !isNchw) return true;
    const ImageAxes axes = imageAxes(*isNchw);
    const uint64_t size = static_cast<uint32_t>(*block);
    for (const size_t axis : {axes.height, axes.width}) {
        const Dim dim = input.dim(axis);
        if (dim && !setSize(op, "depth_to_space.size", axis, *dim * size, dims[axis])) return false;
    }
    const Dim depth = input.dim(axes.depth);
    if (!depth) return true;
    dims[axes.depth] = static_cast<uint32_t>(*depth / (size * size));
    return op.require(*depth % (size * size) == 0, "depth_to_space.depth",
                      "{} has {}, allowed a multiple of {} as the square of the block size",
                      op.in(kInput), Plural{*depth, "channels"}, size * size);
}

}  // namespace
}  // namespace depth_to_space

const OperationSpec specs::DEPTH_TO_SPACE{.type = OperationType::DEPTH_TO_SPACE,
                                          .types = depth_to_space::kTypes,
                                          .forms = depth_to_space::kForms,
                                          .ruleTexts = depth_to_space::kRules,
                                          .inferShapes = depth_to_space::inferShapes};

}  // namespace nn::ops
