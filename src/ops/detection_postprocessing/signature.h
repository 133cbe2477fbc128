// DETECTION_POSTPROCESSING: the detections of a single-shot detector.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::detection_postprocessing {

inline constexpr Types kTypes[] = {
        // since  tensors          scalars
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

inline constexpr Param kInputs[] = {{"scores", T},
                                    {"deltas", T},
                                    {"anchors", T},
                                    {"scaleY", S},
                                    {"scaleX", S},
                                    {"scaleHeight", S},
                                    {"scaleWidth", S},
                                    {"regularNms", BOOL},
                                    {"maxDetections", INT32},
                                    {"maxClassesPerDetection", INT32},
                                    {"maxDetectionsPerClass", INT32},
                                    {"scoreThreshold", S},
                                    {"iouThreshold", S},
                                    {"backgroundInLabels", BOOL}};
inline constexpr Param kOutputs[] = {
        {"scores", T}, {"boxes", T}, {"classes", TENSOR_INT32}, {"counts", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kScores = at(kInputs, "scores"), kDeltas = at(kInputs, "deltas"),
                        kAnchors = at(kInputs, "anchors"), kScaleY = at(kInputs, "scaleY"),
                        kScaleX = at(kInputs, "scaleX"), kScaleHeight = at(kInputs, "scaleHeight"),
                        kScaleWidth = at(kInputs, "scaleWidth"),
                        kRegularNms = at(kInputs, "regularNms"),
                        kMaxDetections = at(kInputs, "maxDetections"),
                        kMaxClassesPerDetection = at(kInputs, "maxClassesPerDetection"),
                        kMaxDetectionsPerClass = at(kInputs, "maxDetectionsPerClass"),
                        kScoreThreshold = at(kInputs, "scoreThreshold"),
                        kIouThreshold = at(kInputs, "iouThreshold"),
                        kBackgroundInLabels = at(kInputs, "backgroundInLabels");
inline constexpr size_t kOutScores = at(kOutputs, "scores"), kOutBoxes = at(kOutputs, "boxes"),
                        kOutClasses = at(kOutputs, "classes"), kOutCounts = at(kOutputs, "counts");

inline constexpr OperandText kOperandTexts[] = {
        {"maxDetections", "most results"},
        {"iouThreshold", "overlap from which on the lower one is dropped"},
        {"scaleY", "divides the vertical moves"},
        {"scaleX", "divides the horizontal moves"},
        {"scaleHeight", "divides the changes of height"},
        {"scaleWidth", "divides the changes of width"},
        {"regularNms", "true: regular, each class on its own; false: fast, all at once"},
        {"maxClassesPerDetection", "fast: classes of a result"},
        {"maxDetectionsPerClass", "regular: most results of a class"},
        {"backgroundInLabels", "labels count the background, which is class 0"},
        {"boxes", "y1, x1, y2, x2"},
        {"counts", "results of each batch"},
};

inline constexpr RuleText kRules[] = {
        {"detection_postprocessing.count",
         "The numbers of detections that the form uses are 1 or more, and the number of rows fits "
         "32 bits."},
        {"detection_postprocessing.rank", "Scores and deltas have rank 3, anchors rank 2."},
        {"detection_postprocessing.scale", "The scales are above 0."},
        {"detection_postprocessing.shapes",
         "Each anchor has four coordinates, four or more deltas and a score for each of two or "
         "more classes."},
        {"detection_postprocessing.threshold", "The thresholds are not negative."},
};

}  // namespace nn::ops::detection_postprocessing
