// SVDF: a dense layer over a sequence of frames, by filters over features and filters over time.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::svdf {

inline constexpr Types kTypes[] = {
        // since  tensors
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};

enum Input : size_t {
    kInput,
    kFeatureWeights,
    kTimeWeights,
    kBias,
    kState,
    kRank,
    kActivation,
};
enum Output : size_t { kStateOut, kOutput };
inline constexpr Param kInputs[] = {{"input", T},         {"featureWeights", T}, {"timeWeights", T},
                                    omittable("bias", T), {"stateIn", T},        {"rank", INT32},
                                    {"activation", INT32}};
inline constexpr Param kOutputs[] = {{"stateOut", T}, {"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::svdf
