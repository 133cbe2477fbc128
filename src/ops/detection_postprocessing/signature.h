// DETECTION_POSTPROCESSING: the detections of a single-shot detector.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::detection_postprocessing {

inline constexpr Types kTypes[] = {
        // since  tensors          scalars
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

enum Input : size_t {
    kScores,
    kDeltas,
    kAnchors,
    kScaleY,
    kScaleX,
    kScaleHeight,
    kScaleWidth,
    kRegularNms,
    kMaxDetections,
    kMaxClassesPerDetection,
    kMaxDetectionsPerClass,
    kScoreThreshold,
    kIouThreshold,
    kBackgroundInLabels,
};
enum Output : size_t { kOutScores, kOutBoxes, kOutClasses, kOutCounts };
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
static_assert(wellFormed(kForms));

}  // namespace nn::ops::detection_postprocessing
