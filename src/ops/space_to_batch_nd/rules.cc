#include <limits>

#include "nnapi/checked_math.h"
#include "op_support/rules/dimensions.h"
#include "op_support/rules/image.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/space_to_batch_nd/signature.h"

namespace nn::ops {
namespace space_to_batch_nd {
namespace {

void rules(const OpView& op) {
    const Value& input = op.input(kInput);
    if (isQuant8Asymm(input.type) && input.zeroPoint != 0) {
        op.requireVersion(V1_2, "a zeroPoint other than 0");
    }
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const auto blocks = op.ints(kBlocks);
    const auto isNchw = op.booleanOr(kIsNchw, false);
    outputs[0] = shapeOfRank(4);
    if (!requireRank(op, "space_to_batch_nd.rank", kInput, 4, 4) ||
        !requireDimensions(op, "space_to_batch_nd.block", kBlocks, {2}) ||
        !requireEach(op, "space_to_batch_nd.block", kBlocks, 1) ||
        !requireSameQuantization(op, "space_to_batch_nd.quantization", kInput, 0)) {
        return false;
    }
    if (!requireDimensions(op, "space_to_batch_nd.paddings", kPaddings, {2, 2}) ||
        !requireEach(op, "space_to_batch_nd.paddings", kPaddings, 0)) {
        return false;
    }
    const Value& input = op.input(kInput);
    Dims& dims = *outputs[0];
    if (blocks && input.dim(0)) {
        const uint64_t blockSize =
                uint64_t{static_cast<uint32_t>((*blocks)[0])} * static_cast<uint32_t>((*blocks)[1]);
        // The product may overflow 64 bits; such a batch is too large anyway.
        const auto batches = checkedMul<uint64_t>(input.dim(0), blockSize);
        if (!setSize(op, "space_to_batch_nd.size", 0,
                     batches.value_or(std::numeric_limits<uint64_t>::max()), dims[0])) {
            return false;
        }
    }
    if (!isNchw) return true;
    const ImageAxes axes = imageAxes(*isNchw);
    dims[axes.depth] = input.dim(axes.depth);
    const auto paddings = op.ints(kPaddings);
    for (size_t i = 0; blocks && paddings && i < 2; ++i) {
        const size_t axis = i == 0 ? axes.height : axes.width;
        const Dim dim = input.dim(axis);
        if (!dim) continue;
        const int64_t padded = int64_t{*dim} + (*paddings)[2 * i] + (*paddings)[2 * i + 1];
        if (!op.require(padded % (*blocks)[i] == 0, "space_to_batch_nd.divides",
                        "dimension {} of {} is {} with paddings, allowed a multiple of {} as the "
                        "block size",
                        axis, op.in(kInput), padded, (*blocks)[i]) ||
            !setSize(op, "space_to_batch_nd.size", axis,
                     static_cast<uint64_t>(padded / (*blocks)[i]), dims[axis])) {
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace space_to_batch_nd

const OperationSpec specs::SPACE_TO_BATCH_ND{.type = OperationType::SPACE_TO_BATCH_ND,
                                             .types = space_to_batch_nd::kTypes,
                                             .forms = space_to_batch_nd::kForms,
                                             .ruleTexts = space_to_batch_nd::kRules,
                                             .rules = space_to_batch_nd::rules,
                                             .inferShapes = space_to_batch_nd::inferShapes};

}  // namespace nn::ops
