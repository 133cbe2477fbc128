// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D: the mean, maximum or root mean square of each window of
// a channel.
#pragma once

#include "op_support/rules/signature.h"
#include "op_support/rules/window_2d.h"

namespace nn::ops::pool_2d {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};
inline constexpr Types kFloatTypes[] = {
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};

inline constexpr Param kImages[] = {{"input", T}};
inline constexpr Param kWindow[] = {{"filterWidth", INT32}, {"filterHeight", INT32}};
inline constexpr auto kImplicitPadding =
        params(kImages, kImplicitPaddings, kStrides, kWindow, kFused, kLayoutFrom1_2);
inline constexpr auto kExplicitPadding =
        params(kImages, kExplicitPaddings, kStrides, kWindow, kFused, kLayoutFrom1_2);
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {
        {"implicit padding", kImplicitPadding, kOutputs},
        {"explicit padding", kExplicitPadding, kOutputs},
};
static_assert(wellFormed(kForms, kTypes));
static_assert(wellFormed(kForms, kFloatTypes));

inline constexpr size_t kInput = inputAt(kForms, "input");

inline constexpr PerForm<size_t> kActivation = inputsAt(kForms, "activation");
inline constexpr PerForm<size_t> kFilterHeight = inputsAt(kForms, "filterHeight");
inline constexpr PerForm<size_t> kFilterWidth = inputsAt(kForms, "filterWidth");

inline constexpr WindowRules kWindowRules{.inputs = windowInputs(kForms),
                                          .stride = "pool_2d.stride",
                                          .padding = "pool_2d.padding",
                                          .output = "pool_2d.output"};

inline constexpr OperandText kOperandTexts[] = {
        {"input", "images"},
        {"filterWidth", "width of the window"},
        {"filterHeight", "height of the window"},
};

inline constexpr RuleText kRules[] = {
        {"pool_2d.activation", "The activation is 0 to 3."},
        {"pool_2d.filter", "The filter's width and height are above 0."},
        {"pool_2d.input", "The input has rank 4; only its batches may be 0."},
        {"pool_2d.output", "The filter fits into the padded input."},
        {"pool_2d.padding",
         "Each explicit padding is at least 0 and less than the filter, so that no window is all "
         "padding."},
        {"pool_2d.quantization", "The output has scale and zero point of the input."},
        {"pool_2d.stride", "Strides are above 0."},
};

}  // namespace nn::ops::pool_2d
