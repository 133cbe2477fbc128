// AXIS_ALIGNED_BBOX_TRANSFORM: regions refined by the deltas that were predicted for each class.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::axis_aligned_bbox_transform {

inline constexpr Types kTypes[] = {
        // since  roi, imageInfo, output    deltas
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT16_ASYMM, TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT16_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {
        {"roi", T}, {"deltas", S}, {"batchIndex", TENSOR_INT32}, {"imageInfo", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kRoi = at(kInputs, "roi"), kDeltas = at(kInputs, "deltas"),
                        kBatchIndex = at(kInputs, "batchIndex"),
                        kImageInfo = at(kInputs, "imageInfo");

}  // namespace nn::ops::axis_aligned_bbox_transform
