// RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN: one basic recurrent layer, for one
// step, over a sequence, and over a sequence in both directions.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::rnn {

inline constexpr Types kStepTypes[] = {
        // since  tensors
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};
inline constexpr Types kSequenceTypes[] = {
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};

// The inputs of one layer.
struct LayerInputs {
    size_t weights;
    size_t recurrentWeights;
    size_t bias;
    size_t state;
};
inline constexpr size_t kInput = 0;
inline constexpr LayerInputs kForward{1, 2, 3, 4};

// ---- RNN

inline constexpr size_t kActivation = 5;  // of a sequence in one direction, too
inline constexpr Param kStepInputs[] = {{"input", T}, {"weights", T},       {"recurrentWeights", T},
                                        {"bias", T},  {"hiddenStateIn", T}, {"activation", INT32}};
enum StepOutput : size_t { kStepState, kStepOutput };
inline constexpr Param kStepOutputs[] = {{"hiddenStateOut", T}, {"output", T}};
inline constexpr Form kStepForms[] = {{"", kStepInputs, kStepOutputs}};
static_assert(wellFormed(kStepForms));

// ---- UNIDIRECTIONAL_SEQUENCE_RNN

inline constexpr size_t kTimeMajor = 6;
inline constexpr Param kSequenceInputs[] = {
        {"input", T},         {"weights", T},        {"recurrentWeights", T}, {"bias", T},
        {"hiddenStateIn", T}, {"activation", INT32}, {"timeMajor", INT32}};
inline constexpr Param kSequenceOutputs[] = {{"output", T},
                                             optional("hiddenStateOut", T, V1_3, "not given")};
inline constexpr Form kSequenceForms[] = {{"", kSequenceInputs, kSequenceOutputs}};
static_assert(wellFormed(kSequenceForms));

// ---- BIDIRECTIONAL_SEQUENCE_RNN

inline constexpr LayerInputs kBackward{5, 6, 7, 8};
enum BidirectionalInput : size_t {
    kAuxiliary = 9,
    kForwardAuxiliaryWeights,
    kBackwardAuxiliaryWeights,
    kBidirectionalActivation,
    kBidirectionalTimeMajor,
    kMergeOutputs,
};
inline constexpr Param kBidirectionalInputs[] = {{"input", T},
                                                 {"forwardWeights", T},
                                                 {"forwardRecurrentWeights", T},
                                                 {"forwardBias", T},
                                                 {"forwardHiddenStateIn", T},
                                                 {"backwardWeights", T},
                                                 {"backwardRecurrentWeights", T},
                                                 {"backwardBias", T},
                                                 {"backwardHiddenStateIn", T},
                                                 omittable("auxiliaryInput", T),
                                                 omittable("forwardAuxiliaryWeights", T),
                                                 omittable("backwardAuxiliaryWeights", T),
                                                 {"activation", INT32},
                                                 {"timeMajor", BOOL},
                                                 {"mergeOutputs", BOOL}};
inline constexpr Param kSeparateOutputs[] = {
        {"forwardOutput", T},
        {"backwardOutput", T},
        optional("forwardHiddenStateOut", T, V1_3, "not given"),
        joined("backwardHiddenStateOut", T, V1_3, "not given")};
inline constexpr Param kMergedOutputs[] = {{"output", T},
                                           optional("forwardHiddenStateOut", T, V1_3, "not given"),
                                           joined("backwardHiddenStateOut", T, V1_3, "not given")};
inline constexpr Form kBidirectionalForms[] = {
        {"separate outputs", kBidirectionalInputs, kSeparateOutputs},
        {"merged outputs", kBidirectionalInputs, kMergedOutputs}};
static_assert(wellFormed(kBidirectionalForms));

// Merged outputs are one, separate ones two; states come in pairs.
constexpr bool isMerged(size_t outputs) { return outputs % 2 == 1; }

}  // namespace nn::ops::rnn
