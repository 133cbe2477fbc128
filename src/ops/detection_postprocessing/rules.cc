#include "nnapi/checked_math.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/detection_postprocessing/signature.h"

namespace nn::ops {
namespace detection_postprocessing {
namespace {

constexpr std::string_view kRank = "detection_postprocessing.rank";
constexpr std::string_view kShapes = "detection_postprocessing.shapes";
constexpr std::string_view kCount = "detection_postprocessing.count";

// The rows of the outputs for each image: maxDetections; in the fast form, multiplied by the number
// of classes of a detection.
bool inferRows(const OpView& op, Dim& rows) {
    const auto regular = op.boolean(kRegularNms);
    if (!requireAtLeast(op, kCount, kMaxDetections, 1)) return false;
    if (!regular) return true;
    const size_t perClassOrDetection = *regular ? kMaxDetectionsPerClass : kMaxClassesPerDetection;
    if (!requireAtLeast(op, kCount, perClassOrDetection, 1)) return false;

    const auto detections = op.int32(kMaxDetections);
    const auto classes = *regular ? 1 : op.int32(kMaxClassesPerDetection);
    if (!detections || !classes) return true;
    rows = checkedMul<uint32_t>(static_cast<uint32_t>(*detections),
                                static_cast<uint32_t>(*classes));
    return op.require(rows.has_value(), kCount,
                      "{} is {} and {} is {}, allowed a product below 4294967296",
                      op.in(kMaxDetections), *detections, op.in(kMaxClassesPerDetection), *classes);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    if (!requireRank(op, kRank, kScores, 3, 3) || !requireRank(op, kRank, kDeltas, 3, 3) ||
        !requireRank(op, kRank, kAnchors, 2, 2) ||
        !requireSameDim(op, kShapes, kDeltas, 0, kScores, 0) ||
        !requireSameDim(op, kShapes, kDeltas, 1, kScores, 1) ||
        !requireSameDim(op, kShapes, kAnchors, 0, kScores, 1) ||
        !requireDimAtLeast(op, kShapes, kScores, 2, 2) ||
        !requireDimAtLeast(op, kShapes, kDeltas, 2, 4) ||
        !requireDim(op, kShapes, kAnchors, 1, 4)) {
        return false;
    }
    for (const size_t scale : {kScaleY, kScaleX, kScaleHeight, kScaleWidth}) {
        if (!requirePositive(op, "detection_postprocessing.scale", scale)) return false;
    }
    Dim rows;
    if (!inferRows(op, rows) ||
        !requireNotNegative(op, "detection_postprocessing.threshold", kScoreThreshold) ||
        !requireNotNegative(op, "detection_postprocessing.threshold", kIouThreshold)) {
        return false;
    }
    const Dim images = op.input(kScores).dim(0);
    outputs[kOutScores] = Dims{images, rows};
    outputs[kOutBoxes] = Dims{images, rows, 4};
    outputs[kOutClasses] = Dims{images, rows};
    outputs[kOutCounts] = Dims{images};
    return true;
}

}  // namespace
}  // namespace detection_postprocessing

const OperationSpec specs::DETECTION_POSTPROCESSING{
        .type = OperationType::DETECTION_POSTPROCESSING,
        .types = detection_postprocessing::kTypes,
        .forms = detection_postprocessing::kForms,
        .ruleTexts = detection_postprocessing::kRules,
        .inferShapes = detection_postprocessing::inferShapes};

}  // namespace nn::ops
