#include "op_support/rules/dimensions.h"
#include "op_support/rules/image.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/batch_to_space_nd/signature.h"

namespace nn::ops {
namespace batch_to_space_nd {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto blocks = op.ints(kBlocks);
    const auto isNchw = op.booleanOr(kIsNchw, false);
    outputs[0] = shapeOfRank(4);
    if (!requireRank(op, "batch_to_space_nd.rank", kInput, 4, 4) ||
        !requireDimensions(op, "batch_to_space_nd.block", kBlocks, {2}) ||
        !requireEach(op, "batch_to_space_nd.block", kBlocks, 1) ||
        !requireSameQuantization(op, "batch_to_space_nd.quantization", kInput, 0)) {
        return false;
    }
    const Value& input = op.input(kInput);
    Dims& dims = *outputs[0];
    if (isNchw) dims[imageAxes(*isNchw).depth] = input.dim(imageAxes(*isNchw).depth);
    if (!blocks) return true;
    const uint64_t height = static_cast<uint32_t>((*blocks)[0]);
    const uint64_t width = static_cast<uint32_t>((*blocks)[1]);
    if (const Dim batches = input.dim(0)) {
        if (!op.require(*batches % (height * width) == 0, "batch_to_space_nd.batches",
                        "{} has {}, allowed a multiple of {} as the size of a block", op.in(kInput),
                        Plural{*batches, "batches"}, height * width)) {
            return false;
        }
        dims[0] = static_cast<uint32_t>(*batches / (height * width));
    }
    if (!isNchw) return true;
    const ImageAxes axes = imageAxes(*isNchw);
    const Dim h = input.dim(axes.height);
    const Dim w = input.dim(axes.width);
    return (!h ||
            setSize(op, "batch_to_space_nd.size", axes.height, *h * height, dims[axes.height])) &&
           (!w || setSize(op, "batch_to_space_nd.size", axes.width, *w * width, dims[axes.width]));
}

}  // namespace
}  // namespace batch_to_space_nd

const OperationSpec specs::BATCH_TO_SPACE_ND{.type = OperationType::BATCH_TO_SPACE_ND,
                                             .types = batch_to_space_nd::kTypes,
                                             .forms = batch_to_space_nd::kForms,
                                             .ruleTexts = batch_to_space_nd::kRules,
                                             .inferShapes = batch_to_space_nd::inferShapes};

}  // namespace nn::ops
