// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR: resize images.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::resize {

inline constexpr Types kBilinearTypes[] = {
        // since  input, output         factors
        {V1_0, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, FLOAT32}},
};
inline constexpr Types kNearestTypes[] = {
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, FLOAT32}},
};

inline constexpr Param kOutputs[] = {{"output", T}};

inline constexpr Param kBilinearBySize[] = {{"input", T},
                                            {"outputWidth", INT32},
                                            {"outputHeight", INT32},
                                            optional("isNchw", BOOL, V1_2, "false"),
                                            optional("alignCorners", BOOL, V1_3, "false"),
                                            optional("halfPixelCenters", BOOL, V1_3, "false")};
inline constexpr Param kBilinearByFactor[] = {{"input", T},
                                              {"widthFactor", S},
                                              {"heightFactor", S},
                                              optional("isNchw", BOOL, V1_2, "false"),
                                              optional("alignCorners", BOOL, V1_3, "false"),
                                              optional("halfPixelCenters", BOOL, V1_3, "false")};
inline constexpr Form kBilinearForms[] = {{"by size", kBilinearBySize, kOutputs},
                                          {"by factor", kBilinearByFactor, kOutputs, V1_2}};

inline constexpr Param kNearestBySize[] = {{"input", T},
                                           {"outputWidth", INT32},
                                           {"outputHeight", INT32},
                                           {"isNchw", BOOL},
                                           optional("alignCorners", BOOL, V1_3, "false"),
                                           optional("halfPixelCenters", BOOL, V1_3, "false")};
inline constexpr Param kNearestByFactor[] = {{"input", T},
                                             {"widthFactor", S},
                                             {"heightFactor", S},
                                             {"isNchw", BOOL},
                                             optional("alignCorners", BOOL, V1_3, "false"),
                                             optional("halfPixelCenters", BOOL, V1_3, "false")};
inline constexpr Form kNearestForms[] = {{"by size", kNearestBySize, kOutputs},
                                         {"by factor", kNearestByFactor, kOutputs}};
static_assert(wellFormed(kBilinearForms, kBilinearTypes));
static_assert(wellFormed(kNearestForms, kNearestTypes));

inline constexpr size_t kInput = inputAt(kBilinearForms, "input"),
                        kWidth = at(kBilinearBySize, "outputWidth"),
                        kHeight = at(kBilinearBySize, "outputHeight"),
                        kNchw = inputAt(kBilinearForms, "isNchw"),
                        kAlignCorners = inputAt(kBilinearForms, "alignCorners"),
                        kHalfPixelCenters = inputAt(kBilinearForms, "halfPixelCenters");
static_assert(kWidth == at(kBilinearByFactor, "widthFactor") &&
              kHeight == at(kBilinearByFactor, "heightFactor"));

inline constexpr OperandText kOperandTexts[] = {
        {"widthFactor", "width of the output / that of the input"},
        {"heightFactor", "height of the output / that of the input"},
        {"alignCorners", "corners keep their values: the centers of corner pixels coincide"},
        {"halfPixelCenters", "the center of a pixel is at half of its size"},
};

inline constexpr RuleText kRules[] = {
        {"resize.corners", "Aligned corners and half pixel centers exclude each other."},
        {"resize.empty", "Height, width and depth of the input are not 0."},
        {"resize.factor", "A factor gives a size from 1 to 2147483647."},
        {"resize.quantization", "The output has the scale and the zero point of the input."},
        {"resize.rank", "The input has rank 4."},
        {"resize.size", "A given size is 1 or more."},
};

}  // namespace nn::ops::resize
