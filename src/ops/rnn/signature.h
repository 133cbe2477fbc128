// RNN, UNIDIRECTIONAL_SEQUENCE_RNN, BIDIRECTIONAL_SEQUENCE_RNN: a basic recurrent layer for one
// step, over a sequence, and over a sequence in both directions.
#pragma once

#include "op_support/rules/signature.h"

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

// ---- RNN

inline constexpr Param kStepInputs[] = {{"input", T}, {"weights", T},       {"recurrentWeights", T},
                                        {"bias", T},  {"hiddenStateIn", T}, {"activation", INT32}};
inline constexpr Param kStepOutputs[] = {{"hiddenStateOut", T}, {"output", T}};
inline constexpr Form kStepForms[] = {{"", kStepInputs, kStepOutputs}};

inline constexpr size_t kInput = at(kStepInputs, "input");
inline constexpr size_t kActivation = at(kStepInputs, "activation");
inline constexpr size_t kStepState = at(kStepOutputs, "hiddenStateOut"),
                        kStepOutput = at(kStepOutputs, "output");

// ---- UNIDIRECTIONAL_SEQUENCE_RNN: the inputs of a step, and the layout

inline constexpr Param kSequenceInputs[] = {
        {"input", T},         {"weights", T},        {"recurrentWeights", T}, {"bias", T},
        {"hiddenStateIn", T}, {"activation", INT32}, {"timeMajor", INT32}};
inline constexpr Param kSequenceOutputs[] = {{"output", T},
                                             optional("hiddenStateOut", T, V1_3, "not given")};
inline constexpr Form kSequenceForms[] = {{"", kSequenceInputs, kSequenceOutputs}};
static_assert(kActivation == at(kSequenceInputs, "activation"));

inline constexpr size_t kTimeMajor = at(kSequenceInputs, "timeMajor");

// ---- BIDIRECTIONAL_SEQUENCE_RNN

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

inline constexpr size_t kAuxiliary = at(kBidirectionalInputs, "auxiliaryInput"),
                        kForwardAuxiliaryWeights =
                                at(kBidirectionalInputs, "forwardAuxiliaryWeights"),
                        kBackwardAuxiliaryWeights =
                                at(kBidirectionalInputs, "backwardAuxiliaryWeights"),
                        kBidirectionalActivation = at(kBidirectionalInputs, "activation"),
                        kBidirectionalTimeMajor = at(kBidirectionalInputs, "timeMajor"),
                        kMergeOutputs = at(kBidirectionalInputs, "mergeOutputs");

static_assert(wellFormed(kStepForms, kStepTypes));
static_assert(wellFormed(kSequenceForms, kSequenceTypes));
static_assert(wellFormed(kBidirectionalForms, kSequenceTypes));

// ---- layers

// The inputs of one layer. A single layer uses those of the forward layer.
struct LayerInputs {
    size_t weights;
    size_t recurrentWeights;
    size_t bias;
    size_t state;
    bool operator==(const LayerInputs&) const = default;
};
inline constexpr LayerInputs kForward{at(kBidirectionalInputs, "forwardWeights"),
                                      at(kBidirectionalInputs, "forwardRecurrentWeights"),
                                      at(kBidirectionalInputs, "forwardBias"),
                                      at(kBidirectionalInputs, "forwardHiddenStateIn")};
inline constexpr LayerInputs kBackward{at(kBidirectionalInputs, "backwardWeights"),
                                       at(kBidirectionalInputs, "backwardRecurrentWeights"),
                                       at(kBidirectionalInputs, "backwardBias"),
                                       at(kBidirectionalInputs, "backwardHiddenStateIn")};
static_assert(kForward == LayerInputs{at(kStepInputs, "weights"),
                                      at(kStepInputs, "recurrentWeights"), at(kStepInputs, "bias"),
                                      at(kStepInputs, "hiddenStateIn")});

// There is one merged output or two separate ones, and two states are optional: an odd number means
// merged.
constexpr bool isMerged(size_t outputs) { return outputs % 2 == 1; }

inline constexpr OperandText kOperandTexts[] = {
        {"bias", "added to each unit"},
        {"forwardBias", "forward: added to each unit"},
        {"backwardBias", "backward: added to each unit"},
        {"RNN.activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6, 4 TANH, 6 SIGMOID"},
        {"UNIDIRECTIONAL_SEQUENCE_RNN.activation", "as for RNN: 4 TANH, 6 SIGMOID ..."},
        {"BIDIRECTIONAL_SEQUENCE_RNN.activation", "as for RNN: 4 TANH, 6 SIGMOID ..."},
        {"recurrentWeights", "[units, units]: of the hidden state"},
        {"auxiliaryWeights", "of the auxiliary input"},
        {"hiddenStateIn", "hidden state before"},
        {"hiddenStateOut", "hidden state after"},
        {"auxiliaryInput", "auxiliary input"},
        {"RNN.input", "what this step reads"},
};

inline constexpr RuleText kRules[] = {
        {"rnn.activation", "The activation is 0 to 4 or 6."},
        {"rnn.linking",
         "Of the auxiliary input and the two auxiliary weights none, the first, or all are given."},
        {"rnn.merge", "Merged outputs are one, or three with states, others two or four."},
        {"rnn.rank", "The input has rank 2 for one step, and 3 for a sequence."},
        {"rnn.shapes",
         "The weights are [units, size], the recurrent weights [units, units], the bias [units], "
         "the state [batches, units], the auxiliary weights [units, A]."},
        {"rnn.time_major", "If time-major is an integer, it is 0 or 1."},
};

}  // namespace nn::ops::rnn
