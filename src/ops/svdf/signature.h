// SVDF: a dense layer over a sequence of frames, factored into filters over features and over time.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::svdf {

inline constexpr Types kTypes[] = {
        // since  tensors
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};

inline constexpr Param kInputs[] = {{"input", T},         {"featureWeights", T}, {"timeWeights", T},
                                    omittable("bias", T), {"stateIn", T},        {"rank", INT32},
                                    {"activation", INT32}};
inline constexpr Param kOutputs[] = {{"stateOut", T}, {"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"),
                        kFeatureWeights = at(kInputs, "featureWeights"),
                        kTimeWeights = at(kInputs, "timeWeights"), kBias = at(kInputs, "bias"),
                        kState = at(kInputs, "stateIn"), kRank = at(kInputs, "rank"),
                        kActivation = at(kInputs, "activation");
inline constexpr size_t kStateOut = at(kOutputs, "stateOut"), kOutput = at(kOutputs, "output");

inline constexpr OperandText kOperandTexts[] = {
        {"bias", "added to each unit; without it 0"},
        {"activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6, 4 TANH, 6 SIGMOID"},
        {"input", "the frame of this step"},
        {"featureWeights", "[filters, inputs]"},
        {"timeWeights", "[filters, frames]"},
        {"stateIn", "last frames of each filter"},
        {"stateOut", "last frames of each filter, with this one"},
        {"rank", "filters of a unit"},
};

inline constexpr RuleText kRules[] = {
        {"svdf.activation", "The activation is 0 to 4 or 6."},
        {"svdf.rank", "The rank is at least 1 and divides the number of filters."},
        {"svdf.shapes",
         "The input is [batches, size], the feature weights [filters, size], the time weights "
         "[filters, M] with M at least 1, the bias [filters / rank], the state [batches, M * "
         "filters]."},
};

}  // namespace nn::ops::svdf
