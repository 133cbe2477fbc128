// QUANTIZED_16BIT_LSTM: one step of a long short-term memory without projection, in fixed point.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::quantized_16bit_lstm {

inline constexpr size_t kGates = 4;  // input, forget, cell, output
inline constexpr Param kInputs[] = {{"input", TENSOR_QUANT8_ASYMM},
                                    {"inputToInputWeights", TENSOR_QUANT8_ASYMM},
                                    {"inputToForgetWeights", TENSOR_QUANT8_ASYMM},
                                    {"inputToCellWeights", TENSOR_QUANT8_ASYMM},
                                    {"inputToOutputWeights", TENSOR_QUANT8_ASYMM},
                                    {"recurrentToInputWeights", TENSOR_QUANT8_ASYMM},
                                    {"recurrentToForgetWeights", TENSOR_QUANT8_ASYMM},
                                    {"recurrentToCellWeights", TENSOR_QUANT8_ASYMM},
                                    {"recurrentToOutputWeights", TENSOR_QUANT8_ASYMM},
                                    {"inputGateBias", TENSOR_INT32},
                                    {"forgetGateBias", TENSOR_INT32},
                                    {"cellBias", TENSOR_INT32},
                                    {"outputGateBias", TENSOR_INT32},
                                    {"cellStateIn", TENSOR_QUANT16_SYMM},
                                    {"outputIn", TENSOR_QUANT8_ASYMM}};
inline constexpr Param kOutputs[] = {{"cellStateOut", TENSOR_QUANT16_SYMM},
                                     {"output", TENSOR_QUANT8_ASYMM}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

// Weights and biases, one for each gate, are in the order of the gates.
inline constexpr size_t kInput = at(kInputs, "input"),
                        kInputWeights = at(kInputs, "inputToInputWeights"),
                        kRecurrentWeights = at(kInputs, "recurrentToInputWeights"),
                        kBias = at(kInputs, "inputGateBias"),
                        kCellState = at(kInputs, "cellStateIn"),
                        kPreviousOutput = at(kInputs, "outputIn");
inline constexpr size_t kCellStateOut = at(kOutputs, "cellStateOut"),
                        kOutput = at(kOutputs, "output");

inline constexpr OperandText kOperandTexts[] = {
        {"input", "what this step reads"},
        {"outputIn", "previous output"},
        {"output", "output, for the next step too"},
};

inline constexpr RuleText kRules[] = {
        {"quantized_16bit_lstm.quantization",
         "Input and previous output have scale 1/128 and zero point 128, the cell state has scale "
         "1/2048."},
        {"quantized_16bit_lstm.shapes",
         "The input is [batches, size], the previous output and the cell state [batches, units], "
         "the input weights [units, size], the recurrent weights [units, units], the biases "
         "[units]."},
};

}  // namespace nn::ops::quantized_16bit_lstm
