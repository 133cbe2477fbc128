// GROUPED_CONV_2D: convolutions side by side, each over its own group of channels.
#pragma once

#include "op_support/rules/convolution_rules.h"
#include "op_support/rules/signature.h"
#include "op_support/rules/window_2d.h"

namespace nn::ops::grouped_conv_2d {

inline constexpr auto kTypes = convolutionTypes(V1_2);

inline constexpr Param kDivision[] = {{"groups", INT32}};
inline constexpr auto kImplicitPadding =
        params(kConvolved, kImplicitPaddings, kStrides, kDivision, kFused, kLayout);
inline constexpr auto kExplicitPadding =
        params(kConvolved, kExplicitPaddings, kStrides, kDivision, kFused, kLayout);
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = inputAt(kForms, "input"), kFilter = inputAt(kForms, "filter"),
                        kBias = inputAt(kForms, "bias");

inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");
inline constexpr PerForm<size_t> kGroups = inputsAt(kForms, "groups");

inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms),
                                          .stride = "grouped_conv_2d.stride",
                                          .padding = "grouped_conv_2d.padding",
                                          .output = "grouped_conv_2d.output"};

inline constexpr OperandText kOperandTexts[] = {
        {"input", "images"},
        {"filter", "[output channels, height, width, channels of a group]"},
        {"groups", "parts that the channels are divided into"},
};

inline constexpr RuleText kRules[] = {
        {"grouped_conv_2d.activation", "The activation is 0 to 3."},
        {"grouped_conv_2d.bias",
         "The bias has rank 1 and one element for each output channel; beside a "
         "TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED filter its scale is input scale * "
         "filter scale within a millionth."},
        {"grouped_conv_2d.channel_dim",
         "A filter with scales per channel has them along dimension 0."},
        {"grouped_conv_2d.channel_scales",
         "A filter with scales per channel has one for each output channel."},
        {"grouped_conv_2d.depth", "The input has dimension 3 of the filter * groups channels."},
        {"grouped_conv_2d.filter",
         "The filter has rank 4, and its height, width and depth are not 0."},
        {"grouped_conv_2d.groups",
         "The number of groups is above 0 and divides the output channels."},
        {"grouped_conv_2d.input", "The input has rank 4; only its batches may be 0."},
        {"grouped_conv_2d.output", "The filter fits into the padded input."},
        {"grouped_conv_2d.padding",
         "Each explicit padding is at least 0 and less than the filter."},
        {"grouped_conv_2d.stride", "Strides are above 0."},
};

}  // namespace nn::ops::grouped_conv_2d
