// QUANTIZED_LSTM: one step of a long short-term memory in fixed point, with optional input gate,
// peephole, layer normalization and projection.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::quantized_lstm {

inline constexpr size_t kInputGate = 0, kForgetGate = 1, kCellGate = 2, kOutputGate = 3, kGates = 4;
inline constexpr Param kInputs[] = {{"input", TENSOR_QUANT8_ASYMM_SIGNED},
                                    omittable("inputToInputWeights", TENSOR_QUANT8_SYMM),
                                    {"inputToForgetWeights", TENSOR_QUANT8_SYMM},
                                    {"inputToCellWeights", TENSOR_QUANT8_SYMM},
                                    {"inputToOutputWeights", TENSOR_QUANT8_SYMM},
                                    omittable("recurrentToInputWeights", TENSOR_QUANT8_SYMM),
                                    {"recurrentToForgetWeights", TENSOR_QUANT8_SYMM},
                                    {"recurrentToCellWeights", TENSOR_QUANT8_SYMM},
                                    {"recurrentToOutputWeights", TENSOR_QUANT8_SYMM},
                                    omittable("cellToInputWeights", TENSOR_QUANT16_SYMM),
                                    omittable("cellToForgetWeights", TENSOR_QUANT16_SYMM),
                                    omittable("cellToOutputWeights", TENSOR_QUANT16_SYMM),
                                    omittable("inputGateBias", TENSOR_INT32),
                                    {"forgetGateBias", TENSOR_INT32},
                                    {"cellBias", TENSOR_INT32},
                                    {"outputGateBias", TENSOR_INT32},
                                    omittable("projectionWeights", TENSOR_QUANT8_SYMM),
                                    omittable("projectionBias", TENSOR_INT32),
                                    {"outputStateIn", TENSOR_QUANT8_ASYMM_SIGNED},
                                    {"cellStateIn", TENSOR_QUANT16_SYMM},
                                    omittable("inputLayerNormWeights", TENSOR_QUANT16_SYMM),
                                    omittable("forgetLayerNormWeights", TENSOR_QUANT16_SYMM),
                                    omittable("cellLayerNormWeights", TENSOR_QUANT16_SYMM),
                                    omittable("outputLayerNormWeights", TENSOR_QUANT16_SYMM),
                                    omittable("cellClip", FLOAT32),
                                    omittable("projectionClip", FLOAT32),
                                    {"inputGateScale", FLOAT32},
                                    {"forgetGateScale", FLOAT32},
                                    {"cellGateScale", FLOAT32},
                                    {"outputGateScale", FLOAT32},
                                    {"hiddenStateZeroPoint", INT32},
                                    {"hiddenStateScale", FLOAT32}};
inline constexpr Param kOutputs[] = {{"outputStateOut", TENSOR_QUANT8_ASYMM_SIGNED},
                                     {"cellStateOut", TENSOR_QUANT16_SYMM},
                                     {"output", TENSOR_QUANT8_ASYMM_SIGNED}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

// Weights, biases and scales, one for each gate, are in the order of the gates.
inline constexpr size_t kInput = at(kInputs, "input"),
                        kInputWeights = at(kInputs, "inputToInputWeights"),
                        kRecurrentWeights = at(kInputs, "recurrentToInputWeights"),
                        kPeepholeToInput = at(kInputs, "cellToInputWeights"),
                        kPeepholeToForget = at(kInputs, "cellToForgetWeights"),
                        kPeepholeToOutput = at(kInputs, "cellToOutputWeights"),
                        kBias = at(kInputs, "inputGateBias"),
                        kProjectionWeights = at(kInputs, "projectionWeights"),
                        kProjectionBias = at(kInputs, "projectionBias"),
                        kOutputState = at(kInputs, "outputStateIn"),
                        kCellState = at(kInputs, "cellStateIn"),
                        kNormWeights = at(kInputs, "inputLayerNormWeights"),
                        kCellClip = at(kInputs, "cellClip"),
                        kProjectionClip = at(kInputs, "projectionClip"),
                        kGateScale = at(kInputs, "inputGateScale"),
                        kHiddenZeroPoint = at(kInputs, "hiddenStateZeroPoint"),
                        kHiddenScale = at(kInputs, "hiddenStateScale");
inline constexpr size_t kOutputStateOut = at(kOutputs, "outputStateOut"),
                        kCellStateOut = at(kOutputs, "cellStateOut"),
                        kOutput = at(kOutputs, "output");

inline constexpr OperandText kOperandTexts[] = {
        {"input", "what this step reads"},
        {"inputGateScale", "scale of the input gate before normalization"},
        {"forgetGateScale", "scale of the forget gate before normalization"},
        {"cellGateScale", "scale of the candidate before normalization"},
        {"outputGateScale", "scale of the output gate before normalization"},
        {"hiddenStateZeroPoint", "zero point of what is projected"},
        {"hiddenStateScale", "scale of what is projected"},
};

inline constexpr RuleText kRules[] = {
        {"quantized_lstm.input_gate",
         "The input gate has all of input weights, recurrent weights and bias, or none."},
        {"quantized_lstm.layer_norm",
         "Weights of layer normalization are given for all gates, or for none; never for an input "
         "gate that is not there."},
        {"quantized_lstm.peephole",
         "Cell weights are given for all gates but the cell gate, or for none."},
        {"quantized_lstm.quantization",
         "The scale of the cell state is a power of 2 from 2^-15 to 2^-9."},
        {"quantized_lstm.scale",
         "The scales of all gates that are there, and of the hidden state, are above 0."},
        {"quantized_lstm.shapes",
         "The input is [batches, size], the input weights [cells, size], the recurrent weights "
         "[cells, outputs], the projection weights [outputs, cells], its bias [outputs], all other "
         "vectors [cells], the output state [batches, outputs], the cell state [batches, cells]."},
};

}  // namespace nn::ops::quantized_lstm
