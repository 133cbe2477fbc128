// DEPTHWISE_CONV_2D: weighted sums of windows over single channels of the input.
#pragma once

#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/signature.h"
#include "op_support/rules/window_2d.h"

namespace nn::ops::depthwise_conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_0);

inline constexpr Param kMultiplier[] = {{"depthMultiplier", INT32}};
inline constexpr auto kImplicitPadding =
        params(kConvolved, kImplicitPaddings, kStrides, kMultiplier, kFused, kLayoutFrom1_2,
               kDilationsFrom1_2);
inline constexpr auto kExplicitPadding =
        params(kConvolved, kExplicitPaddings, kStrides, kMultiplier, kFused, kLayoutFrom1_2,
               kDilationsFrom1_2);
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = inputAt(kForms, "input"), kFilter = inputAt(kForms, "filter"),
                        kBias = inputAt(kForms, "bias");

inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");
inline constexpr PerForm<size_t> kDepthMultiplier = inputsAt(kForms, "depthMultiplier");

inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms),
                                          .stride = "depthwise_conv_2d.stride",
                                          .dilation = "depthwise_conv_2d.dilation",
                                          .padding = "depthwise_conv_2d.padding",
                                          .output = "depthwise_conv_2d.output"};

inline constexpr OperandText kOperandTexts[] = {
        {"input", "images"},
        {"filter", "[1, height, width, output channels]"},
        {"depthMultiplier", "output channels for each input channel"},
};

inline constexpr RuleText kRules[] = {
        {"depthwise_conv_2d.activation", "The activation is 0 to 3."},
        {"depthwise_conv_2d.bias",
         "The bias has rank 1 and one element for each output channel; beside a "
         "TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED filter its scale is input scale * "
         "filter scale within a millionth."},
        {"depthwise_conv_2d.channel_dim",
         "A filter with scales per channel has them along dimension 3."},
        {"depthwise_conv_2d.channel_scales",
         "A filter with scales per channel has one for each output channel."},
        {"depthwise_conv_2d.depth", "The output channels are input channels * multiplier."},
        {"depthwise_conv_2d.dilation", "Dilations are above 0."},
        {"depthwise_conv_2d.filter", "The filter has rank 4, and dimension 0 is 1; none is 0."},
        {"depthwise_conv_2d.input", "The input has rank 4; only its batches may be 0."},
        {"depthwise_conv_2d.multiplier", "The depth multiplier is above 0."},
        {"depthwise_conv_2d.output", "The filter fits into the padded input."},
        {"depthwise_conv_2d.padding",
         "Each explicit padding is at least 0 and less than the extent of the filter with its "
         "gaps."},
        {"depthwise_conv_2d.stride", "Strides are above 0."},
};

}  // namespace nn::ops::depthwise_conv_2d
