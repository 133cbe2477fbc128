// HASHTABLE_LOOKUP: selects rows of a tensor by key.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::hashtable_lookup {

inline constexpr Types kTypes[] = {
        // since  values, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_0, {TENSOR_INT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM}},
};

inline constexpr Param kInputs[] = {
        {"lookups", TENSOR_INT32}, {"keys", TENSOR_INT32}, {"values", T}};
inline constexpr Param kOutputs[] = {{"output", T}, {"hits", TENSOR_QUANT8_ASYMM}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kLookups = at(kInputs, "lookups"), kKeys = at(kInputs, "keys"),
                        kValues = at(kInputs, "values");
inline constexpr size_t kOutput = at(kOutputs, "output"), kHits = at(kOutputs, "hits");

inline constexpr OperandText kOperandTexts[] = {
        {"lookups", "keys to look for"},
        {"keys", "the key of each row, ascending"},
        {"hits", "1 if the key was found"},
};

inline constexpr RuleText kRules[] = {
        {"hashtable_lookup.hits", "The hits have scale 1 and zero point 0."},
        {"hashtable_lookup.keys", "There are as many keys as rows of the values."},
        {"hashtable_lookup.quantization",
         "The output has the scale and the zero point of the values."},
        {"hashtable_lookup.rank", "Lookups and keys have rank 1, the values rank 1 or more."},
};

}  // namespace nn::ops::hashtable_lookup
