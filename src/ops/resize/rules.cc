#include <cmath>

#include "op_support/rules/image.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/resize/signature.h"

namespace nn::ops {
namespace resize {
namespace {

// Reads the size that an input requests, directly or as a factor of the present size `there`; empty
// while unknown. False after a report, if it is not a size.
bool outputSize(const OpView& op, size_t input, Dim there, Dim& size) {
    if (const auto wanted = op.int32(input)) {
        if (!requireAtLeast(op, "resize.size", input, 1)) return false;
        size = static_cast<uint32_t>(*wanted);
        return true;
    }
    const auto factor = op.real(input);
    if (!factor || !there) return true;
    const float wanted = std::floor(static_cast<float>(*there) * *factor);
    if (!op.require(wanted >= 1 && wanted < 0x1p31f, "resize.factor",
                    "{} is {} and gives size {}, allowed 1 to 2147483647", op.in(input), *factor,
                    wanted)) {
        return false;
    }
    size = static_cast<uint32_t>(wanted);
    return true;
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, "resize.rank", kInput, 4, 4)) return false;
    for (const size_t dimension : {1, 2, 3}) {
        if (!requireDimAtLeast(op, "resize.empty", kInput, dimension, 1)) return false;
    }
    const auto alignCorners = op.booleanOr(kAlignCorners, false);
    const auto halfPixelCenters = op.booleanOr(kHalfPixelCenters, false);
    if (!op.require(!alignCorners.value_or(false) || !halfPixelCenters.value_or(false),
                    "resize.corners", "{} and {} are true, allowed one of them",
                    op.in(kAlignCorners), op.in(kHalfPixelCenters)) ||
        !requireSameQuantization(op, "resize.quantization", kInput, 0)) {
        return false;
    }

    // If the layout is unknown, only the batch and the rank are known.
    const auto nchw = op.booleanOr(kNchw, false);
    const Value& input = op.input(kInput);
    const ImageAxes axes = imageAxes(nchw.value_or(false));
    Dim height;
    Dim width;
    if (!outputSize(op, kWidth, nchw ? input.dim(axes.width) : Dim(), width) ||
        !outputSize(op, kHeight, nchw ? input.dim(axes.height) : Dim(), height)) {
        return false;
    }
    Dims shape{input.dim(0), std::nullopt, std::nullopt, std::nullopt};
    if (nchw) {
        shape[axes.depth] = input.dim(axes.depth);
        shape[axes.height] = height;
        shape[axes.width] = width;
    }
    outputs[0] = std::move(shape);
    return true;
}

}  // namespace
}  // namespace resize

const OperationSpec specs::RESIZE_BILINEAR{.type = OperationType::RESIZE_BILINEAR,
                                           .types = resize::kBilinearTypes,
                                           .forms = resize::kBilinearForms,
                                           .ruleTexts = resize::kRules,
                                           .inferShapes = resize::inferShapes,
                                           .allowsZeroSizedInputs = true};
const OperationSpec specs::RESIZE_NEAREST_NEIGHBOR{.type = OperationType::RESIZE_NEAREST_NEIGHBOR,
                                                   .types = resize::kNearestTypes,
                                                   .forms = resize::kNearestForms,
                                                   .ruleTexts = resize::kRules,
                                                   .inferShapes = resize::inferShapes,
                                                   .allowsZeroSizedInputs = true};

}  // namespace nn::ops
