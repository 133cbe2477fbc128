// ROI_ALIGN and ROI_POOLING: resample regions of images to one size.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::roi {

inline constexpr Types kTypes[] = {
        // since  input, output                 roi                   ratios
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16, FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT16_ASYMM, FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT16_ASYMM, FLOAT32}},
};

inline constexpr Param kAlignInputs[] = {{"input", T},
                                         {"roi", S},
                                         {"batchIndex", TENSOR_INT32},
                                         {"outputHeight", INT32},
                                         {"outputWidth", INT32},
                                         {"heightRatio", U},
                                         {"widthRatio", U},
                                         {"heightSamples", INT32},
                                         {"widthSamples", INT32},
                                         {"isNchw", BOOL}};
inline constexpr Param kPoolingInputs[] = {{"input", T},
                                           {"roi", S},
                                           {"batchIndex", TENSOR_INT32},
                                           {"outputHeight", INT32},
                                           {"outputWidth", INT32},
                                           {"heightRatio", U},
                                           {"widthRatio", U},
                                           {"isNchw", BOOL}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kAlignForms[] = {{"", kAlignInputs, kOutputs}};
inline constexpr Form kPoolingForms[] = {{"", kPoolingInputs, kOutputs}};
static_assert(wellFormed(kAlignForms, kTypes));
static_assert(wellFormed(kPoolingForms, kTypes));

inline constexpr size_t kInput = at(kAlignInputs, "input"), kRoi = at(kAlignInputs, "roi"),
                        kBatchIndex = at(kAlignInputs, "batchIndex"),
                        kOutputHeight = at(kAlignInputs, "outputHeight"),
                        kOutputWidth = at(kAlignInputs, "outputWidth"),
                        kHeightRatio = at(kAlignInputs, "heightRatio"),
                        kWidthRatio = at(kAlignInputs, "widthRatio"),
                        kHeightSamples = at(kAlignInputs, "heightSamples"),
                        kWidthSamples = at(kAlignInputs, "widthSamples"),
                        kAlignNchw = at(kAlignInputs, "isNchw"),
                        kPoolingNchw = at(kPoolingInputs, "isNchw");

inline constexpr OperandText kOperandTexts[] = {
        {"heightRatio", "height of the original image / that of the input"},
        {"widthRatio", "width of the original image / that of the input"},
        {"heightSamples", "samples along the height of a cell; 0: as many as it has pixels"},
        {"widthSamples", "samples along the width of a cell; 0: as many as it has pixels"},
};

inline constexpr RuleText kRules[] = {
        {"roi.batch_index", "A batch index names an image of the map."},
        {"roi.box", "A region lies within the map, its edge included, with x1 <= x2 and y1 <= y2."},
        {"roi.box_quantization", "Quantized regions have scale 0.125 and zero point 0."},
        {"roi.boxes", "A region has four coordinates and a batch index."},
        {"roi.empty", "No dimension of the map is 0."},
        {"roi.quantization",
         "The output of ROI_POOLING has the scale and the zero point of the map."},
        {"roi.rank", "The map has rank 4, the regions rank 2, the batch indexes rank 1."},
        {"roi.ratio", "The ratios are above 0."},
        {"roi.samples", "The number of samples in a direction is 0 to 1024."},
        {"roi.size", "Output height and width are 1 or more."},
};

}  // namespace nn::ops::roi
