// QUANTIZED_LSTM: one step of a long short-term memory in fixed point, with optional input gate,
// peephole, layer normalisation and projection.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::quantized_lstm {

inline constexpr size_t kInputGate = 0, kForgetGate = 1, kCellGate = 2, kOutputGate = 3, kGates = 4;

// Weights, bias and scale that each gate has one of stand in the order of the gates.
enum Input : size_t {
    kInput = 0,
    kInputWeights = 1,
    kRecurrentWeights = 5,
    kPeepholeToInput = 9,
    kPeepholeToForget = 10,
    kPeepholeToOutput = 11,
    kBias = 12,
    kProjectionWeights = 16,
    kProjectionBias = 17,
    kOutputState = 18,
    kCellState = 19,
    kNormWeights = 20,
    kCellClip = 24,
    kProjectionClip = 25,
    kGateScale = 26,
    kHiddenZeroPoint = 30,
    kHiddenScale = 31,
};
enum Output : size_t { kOutputStateOut, kCellStateOut, kOutput };
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

}  // namespace nn::ops::quantized_lstm
