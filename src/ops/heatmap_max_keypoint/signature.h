// HEATMAP_MAX_KEYPOINT: locates each keypoint in its box, with subpixel precision.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::heatmap_max_keypoint {

inline constexpr Types kTypes[] = {
        // since  heatmap, scores           boxes, keypoints
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT16_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT16_ASYMM}},
};

inline constexpr Param kInputs[] = {{"heatmap", T}, {"boxes", S}, {"isNchw", BOOL}};
inline constexpr Param kOutputs[] = {{"scores", T}, {"keypoints", S}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kHeatmap = at(kInputs, "heatmap"), kBoxes = at(kInputs, "boxes"),
                        kNchw = at(kInputs, "isNchw");
inline constexpr size_t kScores = at(kOutputs, "scores"), kKeypoints = at(kOutputs, "keypoints");

inline constexpr OperandText kOperandTexts[] = {
        {"scores", "how sure, for each keypoint"},
        {"boxes", "x1, y1, x2, y2"},
        {"heatmap", "an image for each keypoint of each box"},
        {"keypoints", "x and y of each keypoint"},
};

inline constexpr RuleText kRules[] = {
        {"heatmap_max_keypoint.box", "A box has x1 <= x2 and y1 <= y2."},
        {"heatmap_max_keypoint.boxes", "There is a box of four coordinates for each heatmap."},
        {"heatmap_max_keypoint.quantization",
         "Quantized boxes and keypoints have scale 0.125 and zero point 0."},
        {"heatmap_max_keypoint.rank", "The heatmap has rank 4, the boxes rank 2."},
        {"heatmap_max_keypoint.size", "A heatmap has 2 or more pixels on a side."},
        {"heatmap_max_keypoint.square", "Heatmaps are as high as they are wide."},
};

}  // namespace nn::ops::heatmap_max_keypoint
