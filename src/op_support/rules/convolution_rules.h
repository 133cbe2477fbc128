// Rules of operations that multiply an input with a filter and add a bias: which types go together,
// and how quantization parameters relate. Inputs 0 to 2 are input, filter and bias.
#pragma once

#include <array>
#include <string_view>

#include "op_support/rules/op_view.h"
#include "op_support/rules/signature.h"

namespace nn::ops {

inline constexpr size_t kConvolutionInput = 0, kConvolutionFilter = 1, kConvolutionBias = 2;

// The types of input and output, filter, and bias of a convolution that exists since that version.
consteval std::array<Types, 6> convolutionTypes(Version since) {
    const Version later = combineVersions(since, V1_2);
    return {{
            {since, {TENSOR_FLOAT32, TENSOR_FLOAT32, TENSOR_FLOAT32}},
            {since, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM, TENSOR_INT32}},
            {later, {TENSOR_FLOAT16, TENSOR_FLOAT16, TENSOR_FLOAT16}},
            {later, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_INT32}},
            {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_INT32}},
            {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_INT32}},
    }};
}

// The first part of its signature.
inline constexpr Param kConvolved[] = {{"input", T}, {"filter", S}, {"bias", U}};

// ---- rules

// True unless the filter has scales per channel along another dimension.
bool requireChannelDim(const OpView& op, std::string_view rule, uint32_t channelDim);

// HAL 1.0 and 1.1 demand for TENSOR_QUANT8_ASYMM that the output's scale is above input scale *
// filter scale; other scales need 1.2.
void dateOutputScale(const OpView& op);

// The same for the convolutions. Android's own validator compares the input's scale instead of the
// output's, so either of them is enough for 1.0.
void dateOutputOrInputScale(const OpView& op);

// ---- shape inference

// True unless the filter has scales per channel that are not as many as its channels.
bool requireChannelScales(const OpView& op, std::string_view rule, Dim channels);

// True if the bias has rank 1, one element per output channel, and the scale input scale *
// filter scale within a millionth (any, with scales per channel), as far as they are known.
bool requireBias(const OpView& op, std::string_view rule, Dim channels);

}  // namespace nn::ops
