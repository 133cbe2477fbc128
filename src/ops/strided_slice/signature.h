// STRIDED_SLICE: selects every stride-th element between two bounds along each axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::strided_slice {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T},
                                    {"begin", TENSOR_INT32},
                                    {"end", TENSOR_INT32},
                                    {"strides", TENSOR_INT32},
                                    {"beginMask", INT32},
                                    {"endMask", INT32},
                                    {"shrinkAxisMask", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBegin = at(kInputs, "begin"),
                        kEnd = at(kInputs, "end"), kStrides = at(kInputs, "strides"),
                        kBeginMask = at(kInputs, "beginMask"), kEndMask = at(kInputs, "endMask"),
                        kShrinkAxisMask = at(kInputs, "shrinkAxisMask");

inline constexpr OperandText kOperandTexts[] = {
        {"end", "index after the last, along each axis"},
        {"strides", "step along each axis"},
        {"beginMask", "bit i: axis i begins at its first element"},
        {"endMask", "bit i: axis i ends at its last element"},
        {"shrinkAxisMask", "bit i: axis i has one element and is removed"},
};

inline constexpr RuleText kRules[] = {
        {"strided_slice.bounds", "begin, end and strides have one element for each dimension."},
        {"strided_slice.quantization", "The output has the scale and the zero point of the input."},
        {"strided_slice.rank", "The input has rank 1 to 4."},
        {"strided_slice.shrink",
         "An axis that shrinkAxisMask removes has exactly one element, and a stride above 0."},
        {"strided_slice.strides", "No stride is 0."},
};

}  // namespace nn::ops::strided_slice
