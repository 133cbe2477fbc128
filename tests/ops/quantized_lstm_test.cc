#include "ops/tables.h"

namespace nn::ops::quantized_lstm_test {
namespace {

constexpr auto LSTM = OperationType::QUANTIZED_LSTM;

using Args = std::vector<Arg>;

constexpr float kActivationScale = 1.0f / 64;
constexpr float kWeightScale = 1.0f / 64;
constexpr float kCellScale = 1.0f / 2048;
constexpr float kPeepholeScale = 0.5f;
constexpr float kGateScale = 1.0f / 4096;
constexpr float kHiddenScale = 1.0f / 128;

Arg activations(std::vector<uint32_t> dimensions, std::vector<int8_t> values) {
    return qs8(std::move(dimensions), std::move(values), kActivationScale, -128);
}
Arg weights(std::vector<uint32_t> dimensions, std::vector<int8_t> values) {
    return as(TENSOR_QUANT8_SYMM, qs8(std::move(dimensions), std::move(values), kWeightScale, 0));
}
Arg cell(std::vector<uint32_t> dimensions, std::vector<int16_t> values) {
    return q16s(std::move(dimensions), std::move(values), kCellScale);
}
Arg peephole(int16_t value) { return q16s({1}, {value}, kPeepholeScale); }

const Arg kNoWeights = omitted(TENSOR_QUANT8_SYMM);
const Arg kNoVector = omitted(TENSOR_QUANT16_SYMM);
const Arg kNoBias = omitted(TENSOR_INT32);

// One batch of two values through one cell. Products of values and weights have the scale of the
// gates, where 4096 is 1. All real values are 0 except the cell state, which is 2.
Args layer() {
    Args args = {activations({1, 2}, {-128, -128})};
    for (int gate = 0; gate < 4; ++gate) args.push_back(weights({1, 2}, {0, 0}));
    for (int gate = 0; gate < 4; ++gate) args.push_back(weights({1, 1}, {0}));
    args.insert(args.end(), 3, kNoVector);  // peephole
    args.insert(args.end(), 4, i32({1}, {0}));
    args.insert(args.end(), {kNoWeights, kNoBias});  // projection
    args.insert(args.end(), {activations({1, 1}, {-128}), cell({1, 1}, {4096})});
    args.insert(args.end(), 4, kNoVector);  // layer normalization
    args.insert(args.end(), {real(0), real(0)});
    args.insert(args.end(), 4, real(kGateScale));
    args.insert(args.end(), {integer(0), real(kHiddenScale)});
    return args;
}

// The same without an input gate.
Args coupled() { return with(layer(), {{1, kNoWeights}, {5, kNoWeights}, {12, kNoBias}}); }

// Two cells whose forget gates have the inputs (-1000, 1000), which are normalized to (-1, 1).
Args normalized(int32_t forgetBias) {
    Args args = {activations({1, 2}, {-127, -128})};
    for (int gate = 0; gate < 4; ++gate) args.push_back(weights({2, 2}, {0, 0, 0, 0}));
    for (int gate = 0; gate < 4; ++gate) args.push_back(weights({2, 2}, {0, 0, 0, 0}));
    args[2] = weights({2, 2}, {-100, 0, 100, 0});
    args.insert(args.end(), 3, kNoVector);
    args.insert(args.end(), 4, i32({2}, {0, 0}));
    args[13] = i32({2}, {forgetBias, forgetBias});
    args.insert(args.end(), {kNoWeights, kNoBias});
    args.insert(args.end(), {activations({1, 2}, {-128, -128}), cell({1, 2}, {4096, 4096})});
    args.insert(args.end(), 4, q16s({2}, {4096, 4096}, kGateScale));
    args.insert(args.end(), {real(0), real(0)});
    args.insert(args.end(), 4, real(kGateScale));
    args.insert(args.end(), {integer(0), real(kHiddenScale)});
    return args;
}

const Args kOutputs = {activations({}, {}), cell({}, {}), activations({}, {})};

Args gives(int16_t cellState, int8_t output) {
    return {activations({1, 1}, {output}), cell({1, 1}, {cellState}),
            activations({1, 1}, {output})};
}

TEST(QuantizedLstm, NeedsTheLeastVersion) {
    expectNeeds(LSTM,
                {{"Layer", layer(), kOutputs, V1_3},
                 {"Coupled", coupled(), kOutputs, V1_3},
                 {"ClipsOmitted", with(layer(), {{24, omitted(FLOAT32)}, {25, omitted(FLOAT32)}}),
                  kOutputs, V1_3}});
}

TEST(QuantizedLstm, SaysWhyPreparationFails) {
    const Arg vector = q16s({1}, {1}, 1);
    expectFails(
            infer, LSTM,
            {{"HalfCoupled", with(layer(), {{1, kNoWeights}, {5, kNoWeights}}), kOutputs,
              "input 12 'inputGateBias' (operand 12) has a value and input 1 'inputToInputWeights' "
              "(operand 1) has none, allowed both or neither [quantized_lstm.input_gate]"},
             {"PeepholeToForgetOnly", with(layer(), {{10, vector}}), kOutputs,
              "input 10 'cellToForgetWeights' (operand 10) has a value and input 11 "
              "'cellToOutputWeights' (operand 11) has none, allowed both or neither "
              "[quantized_lstm.peephole]"},
             {"PeepholeNotToInput", with(layer(), {{10, vector}, {11, vector}}), kOutputs,
              "input 10 'cellToForgetWeights' (operand 10) has a value and input 9 "
              "'cellToInputWeights' (operand 9) has none, allowed both or neither "
              "[quantized_lstm.peephole]"},
             {"CoupledPeepholeToInputOnly", with(coupled(), {{9, vector}}), kOutputs,
              "input 9 'cellToInputWeights' (operand 9) has a value, allowed only where input 10 "
              "'cellToForgetWeights' (operand 10) has one [quantized_lstm.peephole]"},
             {"NormOfTheInputGateOnly", with(layer(), {{20, vector}}), kOutputs,
              "input 20 'inputLayerNormWeights' (operand 20) has a value and input 21 "
              "'forgetLayerNormWeights' (operand 21) has none, allowed both or neither "
              "[quantized_lstm.layer_norm]"},
             {"NormOfTwoGates", with(layer(), {{21, vector}, {22, vector}}), kOutputs,
              "input 21 'forgetLayerNormWeights' (operand 21) has a value and input 23 "
              "'outputLayerNormWeights' (operand 23) has none, allowed both or neither "
              "[quantized_lstm.layer_norm]"},
             {"CoupledNormOfTheInputGate",
              with(coupled(), {{20, vector}, {21, vector}, {22, vector}, {23, vector}}), kOutputs,
              "input 20 'inputLayerNormWeights' (operand 20) has a value, allowed only where input "
              "1 'inputToInputWeights' (operand 1) has one [quantized_lstm.layer_norm]"},
             {"InputWeights", with(layer(), {{3, weights({1, 3}, {})}}), kOutputs,
              "input 3 'inputToCellWeights' (operand 3) has dimensions [1, 3], allowed [1, 2] "
              "[quantized_lstm.shapes]"},
             {"RecurrentWeights", with(layer(), {{7, weights({2, 1}, {})}}), kOutputs,
              "input 7 'recurrentToCellWeights' (operand 7) has dimensions [2, 1], allowed [1, 1] "
              "[quantized_lstm.shapes]"},
             {"ProjectionWeights", with(layer(), {{16, weights({1, 3}, {})}}), kOutputs,
              "input 16 'projectionWeights' (operand 16) has dimensions [1, 3], allowed [1, 1] "
              "[quantized_lstm.shapes]"},
             {"ProjectionBias", with(layer(), {{17, i32({2})}}), kOutputs,
              "input 17 'projectionBias' (operand 17) has dimensions [2], allowed [1] "
              "[quantized_lstm.shapes]"},
             {"NoProjectionToOtherSize",
              with(layer(), {{5, weights({1, 3}, {})},
                             {6, weights({1, 3}, {})},
                             {7, weights({1, 3}, {})},
                             {8, weights({1, 3}, {})},
                             {18, activations({1, 3}, {})}}),
              kOutputs,
              "dimension 1 of input 18 'outputStateIn' (operand 18) is 3, allowed 1 as dimension 1 "
              "of input 19 'cellStateIn' (operand 19) [quantized_lstm.shapes]"},
             {"GateScaleZero", with(layer(), {{28, real(0)}}), kOutputs,
              "input 28 'cellGateScale' (operand 28) is 0, allowed above 0 [quantized_lstm.scale]"},
             {"HiddenScaleNegative", with(layer(), {{31, real(-1)}}), kOutputs,
              "input 31 'hiddenStateScale' (operand 31) is -1, allowed above 0 "
              "[quantized_lstm.scale]"},
             {"CellScaleNoPowerOfTwo", with(layer(), {{19, q16s({1, 1}, {}, 0.003f)}}), kOutputs,
              "input 19 'cellStateIn' (operand 19) has scale 0.003, allowed powers of 2 from 2^-15 "
              "to 2^-9 [quantized_lstm.quantization]"},
             {"CellScaleTooLarge", with(layer(), {{19, q16s({1, 1}, {}, 0x1p-8f)}}), kOutputs,
              "input 19 'cellStateIn' (operand 19) has scale 0.00390625, allowed powers of 2 from "
              "2^-15 to 2^-9 [quantized_lstm.quantization]"},
             {"OtherCellScale", layer(), Out{kOutputs[0], q16s({}, {}, 1), kOutputs[2]},
              "output 1 'cellStateOut' (operand 33) has scale 1 and zeroPoint 0, allowed "
              "0.00048828125 and 0 as input 19 'cellStateIn' (operand 19) "
              "[quantized_lstm.quantization]"},
             {"OtherOutputZeroPoint", layer(),
              Out{kOutputs[0], kOutputs[1], qs8({}, {}, kActivationScale, 0)},
              "output 2 'output' (operand 34) has scale 0.015625 and zeroPoint 0, allowed 0.015625 "
              "and -128 as input 18 'outputStateIn' (operand 18) [quantized_lstm.quantization]"}});
}

TEST(QuantizedLstm, InfersShapes) {
    expectShapes(LSTM, {{"UnknownInput", with(layer(), {{0, activations({}, {})}}), kOutputs,
                         Shapes{{1, 1}, {1, 1}, {1, 1}}},
                        {"CoupledWithoutScaleOfTheInputGate", with(coupled(), {{26, real(0)}}),
                         kOutputs, Shapes{{1, 1}, {1, 1}, {1, 1}}}});
}

// With inputs of 0, gates are 1/2: c = 2 / 2, m = tanh(1) / 2 = 0.381 = 48.7 / 128.
TEST(QuantizedLstm, Computes) {
    expectComputes(
            LSTM,
            {{"NoWeights", layer(), gives(2048, 49)},
             {"BiasesAreNotUsed", with(layer(), {{12, i32({1}, {9999})}, {13, i32({1}, {9999})}}),
              gives(2048, 49)},
             {"HiddenZeroPointIsSubtracted", with(layer(), {{30, integer(3)}}), gives(2048, 46)},
             {"HiddenZeroPointIsAByte", with(layer(), {{30, integer(255)}}), gives(2048, 50)},
             // tanh(1) of the cell gate comes in with 1 - 1/2: c = 1 + 0.7616 / 2 = 1.381,
             // m = 0.8811 / 2 = 56.4 / 128
             {"Coupled",
              with(coupled(),
                   {{0, activations({1, 2}, {-64, -64})}, {3, weights({1, 2}, {32, 32})}}),
              gives(2828, 56)},
             // 2 * 255 * 127 saturates to 32767 before 255 * -127 is added: sigmoid(382 / 4096) =
             // 0.523
             {"EachPartSaturates",
              with(layer(), {{0, activations({1, 2}, {127, 127})},
                             {2, weights({1, 2}, {127, 127})},
                             {6, weights({1, 1}, {-127})},
                             {18, activations({1, 1}, {127})}}),
              gives(2143, 50)},
             // f = sigmoid(2 * 1/2) uses the last cell state, o = sigmoid(1.462 / 2) the new one
             {"Peephole", with(layer(), {{9, peephole(0)}, {10, peephole(1)}, {11, peephole(1)}}),
              gives(2994, 78)},
             {"CoupledPeepholeIgnoresTheInputGate",
              with(coupled(), {{9, peephole(99)}, {10, peephole(1)}, {11, peephole(1)}}),
              gives(2994, 78)},
             {"CellClip", with(layer(), {{24, real(0.5f)}}), gives(1024, 30)},
             {"CellClipBelowOneStep", with(layer(), {{24, real(1e-9f)}}), gives(2048, 49)},
             {"ClipsOmitted", with(layer(), {{24, omitted(FLOAT32)}, {25, omitted(FLOAT32)}}),
              gives(2048, 49)}});
}

// The hidden value 46 and its zero point 3 give 49 * 32 + 112 = 1680, times 1/64 / 128 * 64: 13.
TEST(QuantizedLstm, Projects) {
    const Args projected =
            with(layer(), {{16, weights({1, 1}, {32})}, {17, i32({1}, {112})}, {30, integer(3)}});
    expectComputes(
            LSTM,
            {{"Bias", projected, gives(2048, -115)},
             {"NoBias", with(projected, {{17, kNoBias}}), gives(2048, -116)},
             {"BiasWithoutWeights", with(projected, {{16, kNoWeights}}), gives(2048, 46)},
             {"Clip", with(projected, {{25, real(1)}}), gives(2048, -64)},
             {"Saturates", with(projected, {{17, i32({1}, {INT32_MAX})}}), gives(2048, -128)}});
}

// sigmoid(-1) * 2 = 0.538 and sigmoid(1) * 2 = 1.462; a bias of 1024 is the scale of the weights.
TEST(QuantizedLstm, Normalizes) {
    expectComputes(LSTM, {{"TwoCells", normalized(0),
                           Out{activations({1, 2}, {31, 57}), cell({1, 2}, {1102, 2994}),
                               activations({1, 2}, {31, 57})}},
                          {"Bias", normalized(4096 * 1024),
                           Out{activations({1, 2}, {49, 60}), cell({1, 2}, {2048, 3608}),
                               activations({1, 2}, {49, 60})}}});
}

// Four gates with two values of the input and one of the output state; then the projection.
TEST(QuantizedLstm, CountsItsSteps) {
    EXPECT_EQ(stepsOf(LSTM, layer(), kOutputs), 4u * (2 + 1));
    EXPECT_EQ(stepsOf(LSTM, with(layer(), {{16, weights({1, 1}, {64})}}), kOutputs),
              4u * (2 + 1) + 1);
}

}  // namespace
}  // namespace nn::ops::quantized_lstm_test
