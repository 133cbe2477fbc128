// HEATMAP_MAX_KEYPOINT: where in its box each keypoint is, finer than the pixels of its heatmap.
#pragma once

#include "opkit/rules/signature.h"

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

}  // namespace nn::ops::heatmap_max_keypoint
