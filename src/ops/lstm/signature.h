// LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM: long short-term memory for one
// step, over a sequence, and over a sequence in both directions.
#pragma once

#include <utility>

#include "op_support/rules/signature.h"

namespace nn::ops::lstm {

inline constexpr Types kTypes[] = {
        // since  tensors         clips
        {V1_0, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

// ---- inputs

// Concatenates lists.
template <size_t... N>
consteval auto concatenated(const Param (&... lists)[N]) {
    const std::array<std::span<const Param>, sizeof...(N)> all{lists...};
    const auto at = [&all](size_t i) {
        size_t list = 0;
        while (i >= all[list].size()) i -= all[list++].size();
        return all[list][i];
    };
    const auto first = [&at]<size_t... I>(std::index_sequence<I...>) {
        return std::array{at(I)...};
    };
    return first(std::make_index_sequence<(N + ...)>());
}

inline constexpr Param kCellInputs[] = {
        {"input", T},
        omittable("inputToInputWeights", T),
        {"inputToForgetWeights", T},
        {"inputToCellWeights", T},
        {"inputToOutputWeights", T},
        omittable("recurrentToInputWeights", T),
        {"recurrentToForgetWeights", T},
        {"recurrentToCellWeights", T},
        {"recurrentToOutputWeights", T},
        omittable("cellToInputWeights", T),
        omittable("cellToForgetWeights", T),
        omittable("cellToOutputWeights", T),
        omittable("inputGateBias", T),
        {"forgetGateBias", T},
        {"cellBias", T},
        {"outputGateBias", T},
        omittable("projectionWeights", T),
        omittable("projectionBias", T),
        {"outputStateIn", T},
        {"cellStateIn", T},
        {"activation", INT32},
        {"cellClip", S},
        {"projectionClip", S},
};
inline constexpr Param kLayerNormInputs[] = {
        omittable("inputLayerNormWeights", T),
        omittable("forgetLayerNormWeights", T),
        omittable("cellLayerNormWeights", T),
        omittable("outputLayerNormWeights", T),
};
inline constexpr Param kTimeMajorInput[] = {{"timeMajor", BOOL}};

inline constexpr auto kNormalizedCellInputs = concatenated(kCellInputs, kLayerNormInputs);
inline constexpr auto kSequenceInputs =
        concatenated(kCellInputs, kTimeMajorInput, kLayerNormInputs);
inline constexpr Param kBidirectionalInputs[] = {
        {"input", T},
        omittable("fwInputToInputWeights", T),
        {"fwInputToForgetWeights", T},
        {"fwInputToCellWeights", T},
        {"fwInputToOutputWeights", T},
        omittable("fwRecurrentToInputWeights", T),
        {"fwRecurrentToForgetWeights", T},
        {"fwRecurrentToCellWeights", T},
        {"fwRecurrentToOutputWeights", T},
        omittable("fwCellToInputWeights", T),
        omittable("fwCellToForgetWeights", T),
        omittable("fwCellToOutputWeights", T),
        omittable("fwInputGateBias", T),
        {"fwForgetGateBias", T},
        {"fwCellBias", T},
        {"fwOutputGateBias", T},
        omittable("fwProjectionWeights", T),
        omittable("fwProjectionBias", T),
        omittable("bwInputToInputWeights", T),
        {"bwInputToForgetWeights", T},
        {"bwInputToCellWeights", T},
        {"bwInputToOutputWeights", T},
        omittable("bwRecurrentToInputWeights", T),
        {"bwRecurrentToForgetWeights", T},
        {"bwRecurrentToCellWeights", T},
        {"bwRecurrentToOutputWeights", T},
        omittable("bwCellToInputWeights", T),
        omittable("bwCellToForgetWeights", T),
        omittable("bwCellToOutputWeights", T),
        omittable("bwInputGateBias", T),
        {"bwForgetGateBias", T},
        {"bwCellBias", T},
        {"bwOutputGateBias", T},
        omittable("bwProjectionWeights", T),
        omittable("bwProjectionBias", T),
        {"fwOutputStateIn", T},
        {"fwCellStateIn", T},
        {"bwOutputStateIn", T},
        {"bwCellStateIn", T},
        omittable("auxInput", T),
        omittable("fwAuxToInputWeights", T),
        omittable("fwAuxToForgetWeights", T),
        omittable("fwAuxToCellWeights", T),
        omittable("fwAuxToOutputWeights", T),
        omittable("bwAuxToInputWeights", T),
        omittable("bwAuxToForgetWeights", T),
        omittable("bwAuxToCellWeights", T),
        omittable("bwAuxToOutputWeights", T),
        {"activation", INT32},
        {"cellClip", S},
        {"projectionClip", S},
        {"mergeOutputs", BOOL},
        {"timeMajor", BOOL},
        omittable("fwInputLayerNormWeights", T),
        omittable("fwForgetLayerNormWeights", T),
        omittable("fwCellLayerNormWeights", T),
        omittable("fwOutputLayerNormWeights", T),
        omittable("bwInputLayerNormWeights", T),
        omittable("bwForgetLayerNormWeights", T),
        omittable("bwCellLayerNormWeights", T),
        omittable("bwOutputLayerNormWeights", T),
};

// The positions of the inputs of a cell. Inputs of gates are in the order of Gate; the cell gate
// has no peephole.
enum Gate : size_t { kInputGate, kForgetGate, kCellGate, kOutputGate };
inline constexpr Gate kAllGates[] = {kInputGate, kForgetGate, kCellGate, kOutputGate};
inline constexpr size_t kGates = std::size(kAllGates);
inline constexpr size_t kNone = SIZE_MAX - kGates;  // beyond all inputs, like the next four
struct CellLayout {
    size_t weights;      // of the input, one for each gate
    size_t recurrent;    // weights of the output state, one for each gate
    size_t peephole;     // weights of the cell state, one for each gate but the cell gate
    size_t bias;         // one for each gate
    size_t projection;   // weights, then bias
    size_t outputState;  // then cell state
    size_t activation;   // then the clips of cell state and projection
    size_t norm;         // one for each gate
    size_t aux = kNone;  // weights of the auxiliary input, one for each gate

    constexpr size_t projectionBias() const { return projection + 1; }
    constexpr size_t cellState() const { return outputState + 1; }
    constexpr size_t cellClip() const { return activation + 1; }
    constexpr size_t projectionClip() const { return activation + 2; }
    constexpr size_t peepholeOf(Gate gate) const {
        return gate == kOutputGate ? peephole + 2 : peephole + gate;
    }
};

inline constexpr size_t kInput = at(kCellInputs, "input");

inline constexpr CellLayout kLstmCell{
        .weights = at(kNormalizedCellInputs, "inputToInputWeights"),
        .recurrent = at(kNormalizedCellInputs, "recurrentToInputWeights"),
        .peephole = at(kNormalizedCellInputs, "cellToInputWeights"),
        .bias = at(kNormalizedCellInputs, "inputGateBias"),
        .projection = at(kNormalizedCellInputs, "projectionWeights"),
        .outputState = at(kNormalizedCellInputs, "outputStateIn"),
        .activation = at(kNormalizedCellInputs, "activation"),
        .norm = at(kNormalizedCellInputs, "inputLayerNormWeights")};

namespace unidirectional {
inline constexpr size_t kTimeMajor = at(kSequenceInputs, "timeMajor");
inline constexpr CellLayout kCell{.weights = at(kSequenceInputs, "inputToInputWeights"),
                                  .recurrent = at(kSequenceInputs, "recurrentToInputWeights"),
                                  .peephole = at(kSequenceInputs, "cellToInputWeights"),
                                  .bias = at(kSequenceInputs, "inputGateBias"),
                                  .projection = at(kSequenceInputs, "projectionWeights"),
                                  .outputState = at(kSequenceInputs, "outputStateIn"),
                                  .activation = at(kSequenceInputs, "activation"),
                                  .norm = at(kSequenceInputs, "inputLayerNormWeights")};
}  // namespace unidirectional

namespace bidirectional {
inline constexpr size_t kAuxInput = at(kBidirectionalInputs, "auxInput"),
                        kMergeOutputs = at(kBidirectionalInputs, "mergeOutputs"),
                        kTimeMajor = at(kBidirectionalInputs, "timeMajor");
inline constexpr CellLayout kForward{
        .weights = at(kBidirectionalInputs, "fwInputToInputWeights"),
        .recurrent = at(kBidirectionalInputs, "fwRecurrentToInputWeights"),
        .peephole = at(kBidirectionalInputs, "fwCellToInputWeights"),
        .bias = at(kBidirectionalInputs, "fwInputGateBias"),
        .projection = at(kBidirectionalInputs, "fwProjectionWeights"),
        .outputState = at(kBidirectionalInputs, "fwOutputStateIn"),
        .activation = at(kBidirectionalInputs, "activation"),
        .norm = at(kBidirectionalInputs, "fwInputLayerNormWeights"),
        .aux = at(kBidirectionalInputs, "fwAuxToInputWeights")};
inline constexpr CellLayout kBackward{
        .weights = at(kBidirectionalInputs, "bwInputToInputWeights"),
        .recurrent = at(kBidirectionalInputs, "bwRecurrentToInputWeights"),
        .peephole = at(kBidirectionalInputs, "bwCellToInputWeights"),
        .bias = at(kBidirectionalInputs, "bwInputGateBias"),
        .projection = at(kBidirectionalInputs, "bwProjectionWeights"),
        .outputState = at(kBidirectionalInputs, "bwOutputStateIn"),
        .activation = at(kBidirectionalInputs, "activation"),
        .norm = at(kBidirectionalInputs, "bwInputLayerNormWeights"),
        .aux = at(kBidirectionalInputs, "bwAuxToInputWeights")};
}  // namespace bidirectional

// ---- outputs

inline constexpr Param kCellOutputs[] = {
        {"scratch", T}, {"outputStateOut", T}, {"cellStateOut", T}, {"output", T}};
inline constexpr Param kSequenceOutputs[] = {{"output", T},
                                             optional("outputStateOut", T, V1_3, "not given"),
                                             joined("cellStateOut", T, V1_3, "not given")};
inline constexpr Param kSeparateOutputs[] = {{"fwOutput", T}, {"bwOutput", T}};
inline constexpr Param kMergedOutput[] = {{"output", T}};
inline constexpr Param kFinalStates[] = {optional("fwOutputStateOut", T, V1_3, "not given"),
                                         joined("fwCellStateOut", T, V1_3, "not given"),
                                         joined("bwOutputStateOut", T, V1_3, "not given"),
                                         joined("bwCellStateOut", T, V1_3, "not given")};
inline constexpr auto kSeparateOutputsAndStates = concatenated(kSeparateOutputs, kFinalStates);
inline constexpr auto kMergedOutputAndStates = concatenated(kMergedOutput, kFinalStates);

// ---- forms

inline constexpr Form kLstmForms[] = {
        {"", kCellInputs, kCellOutputs},
        {"layer normalization", kNormalizedCellInputs, kCellOutputs, V1_2}};
inline constexpr Form kUnidirectionalForms[] = {{"", kSequenceInputs, kSequenceOutputs}};
inline constexpr Form kBidirectionalForms[] = {
        {"separate outputs", kBidirectionalInputs, kSeparateOutputsAndStates},
        {"merged outputs", kBidirectionalInputs, kMergedOutputAndStates}};
static_assert(wellFormed(kLstmForms, kTypes));
static_assert(wellFormed(kUnidirectionalForms, kTypes));
static_assert(wellFormed(kBidirectionalForms, kTypes));

inline constexpr OperandText kOperandTexts[] = {
        {"LSTM.activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6, 4 TANH, 6 SIGMOID"},
        {"UNIDIRECTIONAL_SEQUENCE_LSTM.activation", "as for LSTM: 4 TANH, 6 SIGMOID ..."},
        {"BIDIRECTIONAL_SEQUENCE_LSTM.activation", "as for LSTM: 4 TANH, 6 SIGMOID ..."},
        {"auxInput", "auxiliary input"},
        {"LSTM.input", "what this step reads"},
        {"auxToInputWeights", "input gate, of the auxiliary input"},
        {"auxToForgetWeights", "forget gate, of the auxiliary input"},
        {"auxToCellWeights", "candidate, of the auxiliary input"},
        {"auxToOutputWeights", "output gate, of the auxiliary input"},
        {"scratch", "filled with zeros"},
};

inline constexpr RuleText kRules[] = {
        {"lstm.activation", "The activation is 0 to 4 or 6."},
        {"lstm.auxiliary", "The auxiliary weights of both cells all have a value, or none has; "
                           "they come with the auxiliary input."},
        {"lstm.clip", "Clips are not below 0."},
        {"lstm.dimensions", "Ranks and dimensions agree, those of the states too."},
        {"lstm.input_gate",
         "The weights and the bias of the input gate all have a value, or none has."},
        {"lstm.layer_norm", "The layer normalization weights all have a value, or none has; where "
                            "the gates are coupled, those of the input gate have none."},
        {"lstm.merge", "There are 1 or 5 outputs if `mergeOutputs` is true, otherwise 2 or 6."},
        {"lstm.peephole", "The peephole weights all have a value, or none has; where the gates are "
                          "coupled, those of the input gate may be given as well and "
                          "are ignored."},
        {"lstm.projection", "A projection bias comes with projection weights."},
        {"lstm.size",
         "Dimension 1 of `scratch`, and the last dimension of a merged output, fit 32 bits."},
};

}  // namespace nn::ops::lstm
