// CONV_2D: weighted sums of windows over all channels of the input.
#pragma once

#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/signature.h"
#include "op_support/rules/window_2d.h"

namespace nn::ops::conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_0);

inline constexpr auto kImplicitPadding =
        params(kConvolved, kImplicitPaddings, kStrides, kFused, kLayoutFrom1_2, kDilationsFrom1_2);
inline constexpr auto kExplicitPadding =
        params(kConvolved, kExplicitPaddings, kStrides, kFused, kLayoutFrom1_2, kDilationsFrom1_2);
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = inputAt(kForms, "input"), kFilter = inputAt(kForms, "filter"),
                        kBias = inputAt(kForms, "bias");

inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");

inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms),
                                          .stride = "conv_2d.stride",
                                          .dilation = "conv_2d.dilation",
                                          .padding = "conv_2d.padding",
                                          .output = "conv_2d.output"};

inline constexpr OperandText kOperandTexts[] = {
        {"input", "images"},
};

inline constexpr RuleText kRules[] = {
        {"conv_2d.activation", "The activation is 0 to 3."},
        {"conv_2d.bias",
         "The bias has rank 1 and one element for each output channel; beside a "
         "TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED filter its scale is input scale * "
         "filter scale within a millionth."},
        {"conv_2d.channel_dim", "A filter with scales per channel has them along dimension 0."},
        {"conv_2d.channel_scales",
         "A filter with scales per channel has one for each output channel."},
        {"conv_2d.depth", "Dimension 3 of the filter is the number of channels of the input."},
        {"conv_2d.dilation", "Dilations are above 0."},
        {"conv_2d.output", "The filter fits into the padded input."},
        {"conv_2d.padding",
         "Each explicit padding is at least 0 and less than the extent of the filter with its "
         "gaps."},
        {"conv_2d.rank", "Input and filter have rank 4."},
        {"conv_2d.size",
         "Only the batches of the input may be 0, and the output channels of the filter."},
        {"conv_2d.stride", "Strides are above 0."},
};

}  // namespace nn::ops::conv_2d
