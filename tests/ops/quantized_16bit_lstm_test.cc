#include "ops/tables.h"

namespace nn::ops::quantized_16bit_lstm_test {
namespace {

constexpr auto LSTM = OperationType::QUANTIZED_16BIT_LSTM;

using Args = std::vector<Arg>;

constexpr float kActivationScale = 1.0f / 128;
constexpr float kWeightScale = 1.0f / 32;
constexpr float kCellScale = 1.0f / 2048;

Arg activations(std::vector<uint32_t> dimensions, std::vector<uint8_t> values) {
    return q8(std::move(dimensions), std::move(values), kActivationScale, 128);
}
Arg weights(std::vector<uint32_t> dimensions, std::vector<uint8_t> values) {
    return q8(std::move(dimensions), std::move(values), kWeightScale, 100);
}
// With these scales, a stored value of 4096 is 1 at the input of a gate's function.
Arg bias(std::vector<int32_t> values) {
    Arg arg = i32({2}, std::move(values));
    arg.scale = kWeightScale / 128;
    return arg;
}
Arg cell(std::vector<uint32_t> dimensions, std::vector<int16_t> values) {
    return q16s(std::move(dimensions), std::move(values), kCellScale);
}

// One batch of one value with two units: input 1/2, weights and biases 0.
Args layer() {
    Args args = {activations({1, 1}, {192})};
    for (int gate = 0; gate < 4; ++gate) args.push_back(weights({2, 1}, {100, 100}));
    for (int gate = 0; gate < 4; ++gate) args.push_back(weights({2, 2}, {100, 100, 100, 100}));
    for (int gate = 0; gate < 4; ++gate) args.push_back(bias({0, 0}));
    args.push_back(cell({1, 2}, {4096, -4096}));
    args.push_back(activations({1, 2}, {128, 128}));
    return args;
}

const Args kOutputs = {cell({}, {}), activations({}, {})};

TEST(Quantized16BitLstm, SaysWhyPreparationFails) {
    Arg unscaledBias = bias({0, 0});
    unscaledBias.scale = kWeightScale;
    expectFails(
            infer, LSTM,
            {{"InputSize", with(layer(), {{4, weights({2, 3}, {})}}), kOutputs,
              "input 4 'inputToOutputWeights' (operand 4) has dimensions [2, 3], allowed [2, 1] "
              "[quantized_16bit_lstm.shapes]"},
             {"RecurrentWeights", with(layer(), {{5, weights({2, 1}, {})}}), kOutputs,
              "input 5 'recurrentToInputWeights' (operand 5) has dimensions [2, 1], allowed [2, 2] "
              "[quantized_16bit_lstm.shapes]"},
             {"Bias", with(layer(), {{12, i32({1})}}), kOutputs,
              "input 12 'outputGateBias' (operand 12) has dimensions [1], allowed [2] "
              "[quantized_16bit_lstm.shapes]"},
             {"CellState", with(layer(), {{13, cell({2, 2}, {})}}), kOutputs,
              "input 13 'cellStateIn' (operand 13) has dimensions [2, 2], allowed [1, 2] "
              "[quantized_16bit_lstm.shapes]"},
             {"LastOutput", with(layer(), {{14, activations({1, 1}, {})}}), kOutputs,
              "input 14 'outputIn' (operand 14) has dimensions [1, 1], allowed [1, 2] "
              "[quantized_16bit_lstm.shapes]"},
             {"InputScale", with(layer(), {{0, q8({1, 1}, {}, 0.5f, 128)}}), kOutputs,
              "input 0 'input' (operand 0) has scale 0.5 and zeroPoint 128, allowed 0.0078125 and "
              "128 [quantized_16bit_lstm.quantization]"},
             {"LastOutputZeroPoint", with(layer(), {{14, q8({1, 2}, {}, kActivationScale, 0)}}),
              kOutputs,
              "input 14 'outputIn' (operand 14) has scale 0.0078125 and zeroPoint 0, allowed "
              "0.0078125 and 128 [quantized_16bit_lstm.quantization]"},
             {"WeightsOfSeveralScales", with(layer(), {{8, q8({2, 2}, {}, 0.25f, 100)}}), kOutputs,
              "input 8 'recurrentToOutputWeights' (operand 8) has scale 0.25 and zeroPoint 100, "
              "allowed 0.03125 and 100 [quantized_16bit_lstm.quantization]"},
             {"BiasScale", with(layer(), {{9, unscaledBias}}), kOutputs,
              "input 9 'inputGateBias' (operand 9) has scale 0.03125 and zeroPoint 0, allowed "
              "0.00024414062 and 0 [quantized_16bit_lstm.quantization]"},
             {"CellScale", with(layer(), {{13, q16s({1, 2}, {}, 0x1p-12f)}}), kOutputs,
              "input 13 'cellStateIn' (operand 13) has scale 0.00024414062, allowed 0.00048828125 "
              "[quantized_16bit_lstm.quantization]"},
             {"CellScaleZero", with(layer(), {{13, q16s({1, 2}, {}, 0)}}), kOutputs,
              "input 13 'cellStateIn' (operand 13) has scale 0, allowed 0.00048828125 "
              "[quantized_16bit_lstm.quantization]"},
             {"OtherOutputScale", layer(), Out{kOutputs[0], q8({}, {}, 0.5f, 128)},
              "output 1 'output' (operand 16) has scale 0.5 and zeroPoint 128, allowed 0.0078125 "
              "and 128 as input 14 'outputIn' (operand 14) [quantized_16bit_lstm.quantization]"}});
}

TEST(Quantized16BitLstm, InfersShapes) {
    expectShapes(LSTM, {{"UnknownInput", with(layer(), {{0, activations({}, {})}}), kOutputs,
                         Shapes{{1, 2}, {1, 2}}}});
}

// With zero weights all gates are 1/2 and the new value is 0: c = c / 2, y = tanh(c) / 2.
TEST(Quantized16BitLstm, Computes) {
    const Arg half = activations({1, 2}, {177, 79});  // +-tanh(1) / 2 * 128 = +-48.7
    // An open gate is sigmoid(8) = 32756 / 32768; halves are rounded upward.
    expectComputes(LSTM, {{"ForgetsNothing", with(layer(), {{10, bias({1 << 20, 1 << 20})}}),
                           Out{cell({1, 2}, {4095, -4094}), activations({1, 2}, {190, 66})}},
                          {"Forgets", with(layer(), {{10, bias({-(1 << 20), -(1 << 20)})}}),
                           Out{cell({1, 2}, {1, -1}), activations({1, 2}, {128, 128})}},
                          // v = (64, 0, 0) and the first row of weights is (100, 0 | 0), so the
                          // cell gate is tanh(6400 / 4096) = 0.9158, multiplied by the input gate
                          // 1/2.
                          {"InputMeetsRecurrentWeights",
                           with(layer(), {{7, weights({2, 2}, {200, 100, 100, 100})}}),
                           Out{cell({1, 2}, {2048 + 938, -2048}), activations({1, 2}, {185, 79})}},
                          {"InputDoesNotMeetInputWeights",
                           with(layer(), {{3, weights({2, 1}, {200, 200})}}),
                           Out{cell({1, 2}, {2048, -2048}), half}},
                          {"CellSaturates",
                           with(layer(), {{9, bias({1 << 20, 1 << 20})},
                                          {10, bias({1 << 20, 1 << 20})},
                                          {11, bias({1 << 20, 1 << 20})},
                                          {13, cell({1, 2}, {32767, -32768})}}),
                           Out{cell({1, 2}, {32767, -30709}), activations({1, 2}, {192, 64})}},
                          {"BiasWraps",
                           with(layer(), {{7, weights({2, 2}, {255, 100, 100, 100})},
                                          {11, bias({INT32_MAX, 0})}}),
                           Out{cell({1, 2}, {1024, -2048}), activations({1, 2}, {158, 79})}}});
}

// Four gates of two units with one input value and two of the output.
TEST(Quantized16BitLstm, CountsItsSteps) {
    EXPECT_EQ(stepsOf(LSTM, layer(), kOutputs), 2u * 4 * (1 + 2));
}

}  // namespace
}  // namespace nn::ops::quantized_16bit_lstm_test
