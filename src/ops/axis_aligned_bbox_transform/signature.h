// AXIS_ALIGNED_BBOX_TRANSFORM: refines regions by the deltas predicted for each class.
#pragma once

#include "op_support/rules/signature.h"

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

inline constexpr RuleText kRules[] = {
        {"axis_aligned_bbox_transform.batch_index", "A batch index names an image."},
        {"axis_aligned_bbox_transform.box", "A region has x1 <= x2 and y1 <= y2."},
        {"axis_aligned_bbox_transform.quantization",
         "Quantized regions, image sizes and results have scale 0.125 and zero point 0."},
        {"axis_aligned_bbox_transform.rank",
         "Regions, deltas and image sizes have rank 2, batch indexes rank 1."},
        {"axis_aligned_bbox_transform.shapes",
         "Each region has four coordinates, a batch index and four deltas for each of one or more "
         "classes; each image has two sizes."},
};

}  // namespace nn::ops::axis_aligned_bbox_transform
