#include "op_support/rules/image.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/roi/signature.h"

namespace nn::ops {
namespace roi {
namespace {

// More samples than any model needs. Bounds the time for a cell.
constexpr int32_t kMaxSamples = 1024;

bool inferShapes(const OpView& op, size_t nchwInput, std::span<Shape> outputs) {
    if (!requireRank(op, "roi.rank", kInput, 4, 4) || !requireRank(op, "roi.rank", kRoi, 2, 2) ||
        !requireRank(op, "roi.rank", kBatchIndex, 1, 1) ||
        !requireDim(op, "roi.boxes", kRoi, 1, 4) ||
        !requireSameDim(op, "roi.boxes", kBatchIndex, 0, kRoi, 0)) {
        return false;
    }
    for (const size_t dimension : {0, 1, 2, 3}) {
        if (!requireDimAtLeast(op, "roi.empty", kInput, dimension, 1)) return false;
    }
    if (!requireAtLeast(op, "roi.size", kOutputHeight, 1) ||
        !requireAtLeast(op, "roi.size", kOutputWidth, 1) ||
        !requirePositive(op, "roi.ratio", kHeightRatio) ||
        !requirePositive(op, "roi.ratio", kWidthRatio) ||
        !requireEighths(op, "roi.box_quantization", op.in(kRoi))) {
        return false;
    }

    Dims shape{op.input(kRoi).dim(0), std::nullopt, std::nullopt, std::nullopt};
    if (const auto nchw = op.boolean(nchwInput)) {
        const ImageAxes axes = imageAxes(*nchw);
        const auto size = [&](size_t input) {
            const auto value = op.int32(input);
            return value ? Dim(static_cast<uint32_t>(*value)) : Dim();
        };
        shape[axes.height] = size(kOutputHeight);
        shape[axes.width] = size(kOutputWidth);
        shape[axes.depth] = op.input(kInput).dim(axes.depth);
    }
    outputs[0] = std::move(shape);
    return true;
}

bool inferAlignShapes(const OpView& op, std::span<Shape> outputs) {
    for (const size_t input : {kHeightSamples, kWidthSamples}) {
        const auto samples = op.int32(input);
        if (!op.require(!samples || (*samples >= 0 && *samples <= kMaxSamples), "roi.samples",
                        "{} is {}, allowed 0 to {}", op.in(input), samples.value_or(0),
                        kMaxSamples)) {
            return false;
        }
    }
    return inferShapes(op, kAlignNchw, outputs);
}

bool inferPoolingShapes(const OpView& op, std::span<Shape> outputs) {
    return inferShapes(op, kPoolingNchw, outputs) &&
           requireSameQuantization(op, "roi.quantization", kInput, 0);
}

}  // namespace
}  // namespace roi

const OperationSpec specs::ROI_ALIGN{.type = OperationType::ROI_ALIGN,
                                     .types = roi::kTypes,
                                     .forms = roi::kAlignForms,
                                     .ruleTexts = roi::kRules,
                                     .inferShapes = roi::inferAlignShapes,
                                     .allowsZeroSizedInputs = true};
const OperationSpec specs::ROI_POOLING{.type = OperationType::ROI_POOLING,
                                       .types = roi::kTypes,
                                       .forms = roi::kPoolingForms,
                                       .ruleTexts = roi::kRules,
                                       .inferShapes = roi::inferPoolingShapes};

}  // namespace nn::ops
