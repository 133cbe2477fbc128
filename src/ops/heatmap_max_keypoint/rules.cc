#include "op_support/rules/image.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/heatmap_max_keypoint/signature.h"

namespace nn::ops {
namespace heatmap_max_keypoint {
namespace {

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, "heatmap_max_keypoint.rank", kHeatmap, 4, 4) ||
        !requireRank(op, "heatmap_max_keypoint.rank", kBoxes, 2, 2) ||
        !requireDim(op, "heatmap_max_keypoint.boxes", kBoxes, 1, 4) ||
        !requireSameDim(op, "heatmap_max_keypoint.boxes", kBoxes, 0, kHeatmap, 0) ||
        !requireEighths(op, "heatmap_max_keypoint.quantization", op.in(kBoxes)) ||
        !requireEighths(op, "heatmap_max_keypoint.quantization", op.out(kKeypoints))) {
        return false;
    }
    const Value& heatmap = op.input(kHeatmap);
    const Dim boxes = heatmap.dim(0) ? heatmap.dim(0) : op.input(kBoxes).dim(0);
    Dim keypoints;
    if (const auto nchw = op.boolean(kNchw)) {
        const ImageAxes axes = imageAxes(*nchw);
        if (!requireSameDim(op, "heatmap_max_keypoint.square", kHeatmap, axes.height, kHeatmap,
                            axes.width) ||
            !requireDimAtLeast(op, "heatmap_max_keypoint.size", kHeatmap, axes.height, 2)) {
            return false;
        }
        keypoints = heatmap.dim(axes.depth);
    }
    outputs[kScores] = Dims{boxes, keypoints};
    outputs[kKeypoints] = Dims{boxes, keypoints, 2};
    return true;
}

}  // namespace
}  // namespace heatmap_max_keypoint

const OperationSpec specs::HEATMAP_MAX_KEYPOINT{.type = OperationType::HEATMAP_MAX_KEYPOINT,
                                                .types = heatmap_max_keypoint::kTypes,
                                                .forms = heatmap_max_keypoint::kForms,
                                                .ruleTexts = heatmap_max_keypoint::kRules,
                                                .inferShapes = heatmap_max_keypoint::inferShapes};

}  // namespace nn::ops
