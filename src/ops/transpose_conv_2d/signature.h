// TRANSPOSE_CONV_2D: the transpose of CONV_2D; adds each input element to a window of the output.
#pragma once

#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/signature.h"
#include "op_support/rules/window_2d.h"

namespace nn::ops::transpose_conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_2);

inline constexpr Param kSize[] = {{"outputShape", TENSOR_INT32}};
inline constexpr auto kImplicitPadding =
        params(kConvolved, kSize, kImplicitPaddings, kStrides, kFused, kLayout);
inline constexpr auto kExplicitPadding =
        params(kConvolved, kExplicitPaddings, kStrides, kFused, kLayout);
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = inputAt(kForms, "input"), kFilter = inputAt(kForms, "filter"),
                        kBias = inputAt(kForms, "bias"),
                        kOutputShape = at(kImplicitPadding, "outputShape");
inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");
inline constexpr PerForm<WindowInputs> kWindowInputs = windowInputs(kForms);

// The windows of the convolution from the output back to the input: along each axis, its input is
// the output of the operation, and its output the input. Empty after a report.
std::optional<SlidingWindows> backwardWindows(const OpView& op);

inline constexpr OperandText kOperandTexts[] = {
        {"input", "images"},
        {"strideWidth", "step of the output for one of the input, along the width"},
        {"strideHeight", "step of the output for one of the input, along the height"},
        {"outputShape", "dimensions of the output"},
};

inline constexpr RuleText kRules[] = {
        {"transpose_conv_2d.activation", "The activation is 0 to 3."},
        {"transpose_conv_2d.bias",
         "The bias has rank 1 and one element for each output channel; beside a "
         "TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED filter its scale is input scale * "
         "filter scale within a millionth."},
        {"transpose_conv_2d.channel_dim",
         "A filter with scales per channel has them along dimension 0."},
        {"transpose_conv_2d.channel_scales",
         "A filter with scales per channel has one for each output channel."},
        {"transpose_conv_2d.depth",
         "Dimension 3 of the filter is the number of channels of the input."},
        {"transpose_conv_2d.filter",
         "The filter has rank 4, and its height, width and depth are not 0."},
        {"transpose_conv_2d.input", "The input has rank 4; only its batches may be 0."},
        {"transpose_conv_2d.output", "Height and width of the output are above 0."},
        {"transpose_conv_2d.output_shape",
         "The output shape has 4 elements, of which the height and width are above 0 where the "
         "scheme is SAME."},
        {"transpose_conv_2d.padding", "The explicit left and top paddings are at least 0."},
        {"transpose_conv_2d.stride", "Strides are above 0."},
};

}  // namespace nn::ops::transpose_conv_2d
