#include <cmath>
#include <limits>

#include "ops/tables.h"

namespace nn::ops::lstm_test {
namespace {

constexpr auto LSTM = OperationType::LSTM;
constexpr auto UNIDIRECTIONAL = OperationType::UNIDIRECTIONAL_SEQUENCE_LSTM;
constexpr auto BIDIRECTIONAL = OperationType::BIDIRECTIONAL_SEQUENCE_LSTM;

// Gates are sigmoid(sum): 1/2 at 0, 3/4 at ln 3.
const float kLn3 = std::log(3.0f);

const Arg kNone = omitted(TENSOR_FLOAT32);
const Arg kFloat = f32({});
const std::vector<Arg> kCellOutputs = {kFloat, kFloat, kFloat, kFloat};

void append(std::vector<Arg>& to, const std::vector<Arg>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// All sizes are 1: all gates are 1/2, and the cell gate passes the input unchanged. With an input
// of 2 and a cell state of 4, the new state is 4 / 2 + 2 / 2 = 3, the output 3 / 2.
Arg matrix(float value) { return f32({1, 1}, {value}); }
Arg vector(float value) { return f32({1}, {value}); }
std::vector<Arg> weights() {
    std::vector<Arg> args;
    append(args, {matrix(0), matrix(0), matrix(1), matrix(0)});  // 0: of the input
    append(args, {matrix(0), matrix(0), matrix(0), matrix(0)});  // 4: of the output state
    append(args, {kNone, kNone, kNone});                         // 8: peephole
    append(args, {vector(0), vector(0), vector(0), vector(0)});  // 11: biases
    append(args, {kNone, kNone});                                // 15: projection
    return args;
}
std::vector<Arg> cellOf(Arg input) {
    std::vector<Arg> args = {std::move(input)};
    append(args, weights());
    append(args, {matrix(0), matrix(4)});          // 18: states
    append(args, {integer(0), real(0), real(0)});  // 20: activation, clips
    return args;
}

std::vector<Arg> lstm(const Changes& changes = {}) { return with(cellOf(matrix(2)), changes); }

// Two elements in the cell state and the output, and four more inputs for layer normalization.
std::vector<Arg> normalized(const Changes& changes = {}) {
    const Arg zeros = f32({2, 1}, {0, 0}), recurrent = f32({2, 2}, {0, 0, 0, 0});
    const Arg bias = f32({2}, {0, 0}), norm = f32({2}, {1, 1});
    std::vector<Arg> args = {matrix(2), zeros,     zeros,     zeros, zeros, recurrent,
                             recurrent, recurrent, recurrent, kNone, kNone, kNone,
                             bias,      bias,      bias,      bias,  kNone, kNone};
    append(args, {f32({1, 2}, {0, 0}), f32({1, 2}, {4, 0}), integer(0), real(0), real(0)});
    append(args, {norm, norm, norm, norm});
    return with(args, changes);
}

std::vector<Arg> unidirectional(Arg input, bool isTimeMajor, const Changes& changes = {}) {
    std::vector<Arg> args = cellOf(std::move(input));
    append(args, {boolean(isTimeMajor), kNone, kNone, kNone, kNone});
    return with(args, changes);
}

// The initial cell state is 4 for the forward cell, 0 for the backward cell.
std::vector<Arg> bidirectional(Arg input, bool isMerged, const Changes& changes = {}) {
    std::vector<Arg> args = {std::move(input)};
    append(args, weights());
    append(args, weights());
    append(args, {matrix(0), matrix(4), matrix(0), matrix(0)});  // 35: states
    append(args, std::vector<Arg>(9, kNone));                    // 39: auxiliary input, weights
    append(args, {integer(0), real(0), real(0), boolean(isMerged), boolean(true)});
    append(args, std::vector<Arg>(8, kNone));  // 53: layer normalization
    return with(args, changes);
}

const Changes kCoupled = {{1, kNone}, {5, kNone}, {12, kNone}};
Changes coupledWith(Changes changes) {
    changes.insert(kCoupled.begin(), kCoupled.end());
    return changes;
}

// The same operands as float16.
std::vector<Arg> halves(std::vector<Arg> args) {
    for (Arg& arg : args) {
        if (arg.type == FLOAT32) arg = real16(0);
        if (arg.type != TENSOR_FLOAT32) continue;
        std::vector<float> reals(arg.data.size() / sizeof(float));
        if (!reals.empty()) std::memcpy(reals.data(), arg.data.data(), arg.data.size());
        arg = arg.omitted ? omitted(TENSOR_FLOAT16) : f16(arg.dimensions, reals);
    }
    return args;
}

TEST(Lstm, NeedsTheLeastVersion) {
    const std::vector<Arg> halfOutputs = halves(kCellOutputs);
    expectNeeds(LSTM, {{"Float", lstm(), kCellOutputs, V1_0},
                       {"Coupled", lstm(kCoupled), kCellOutputs, V1_0},
                       {"Half", halves(lstm()), halfOutputs, V1_2},
                       {"LayerNorm", normalized(), kCellOutputs, V1_2},
                       {"LayerNormOmitted",
                        normalized({{23, kNone}, {24, kNone}, {25, kNone}, {26, kNone}}),
                        kCellOutputs, V1_2}});
    const std::vector<Arg> forward = unidirectional(f32({}), true);
    expectNeeds(UNIDIRECTIONAL, {{"Float", forward, V1_2},
                                 {"States", forward, Out{kFloat, kFloat, kFloat}, V1_3},
                                 {"Half", halves(forward), Out{f16({})}, V1_2}});
    const std::vector<Arg> both = bidirectional(f32({}), true);
    expectNeeds(BIDIRECTIONAL, {{"Merged", both, V1_2},
                                {"Separate", both, Out{kFloat, kFloat}, V1_2},
                                {"MergedStates", both, std::vector<Arg>(5, kFloat), V1_3},
                                {"SeparateStates", both, std::vector<Arg>(6, kFloat), V1_3},
                                {"Half", halves(both), Out{f16({})}, V1_2}});
}

TEST(Lstm, SaysWhichInputsGoTogether) {
    expectFails(
            infer, LSTM,
            {{"NoRecurrentInputWeights", lstm({{5, kNone}}), kCellOutputs,
              "input 1 'inputToInputWeights' (operand 1) has a value and input 5 "
              "'recurrentToInputWeights' (operand 5) has none, allowed both or neither "
              "[lstm.input_gate]"},
             {"CoupledWithBias", lstm({{1, kNone}, {5, kNone}}), kCellOutputs,
              "input 12 'inputGateBias' (operand 12) has a value and input 1 'inputToInputWeights' "
              "(operand 1) has none, allowed both or neither [lstm.input_gate]"},
             {"ForgetPeepholeAlone", lstm({{10, vector(0)}}), kCellOutputs,
              "input 10 'cellToForgetWeights' (operand 10) has a value and input 11 "
              "'cellToOutputWeights' (operand 11) has none, allowed both or neither "
              "[lstm.peephole]"},
             {"NoInputPeephole", lstm({{10, vector(0)}, {11, vector(0)}}), kCellOutputs,
              "input 10 'cellToForgetWeights' (operand 10) has a value and input 9 "
              "'cellToInputWeights' (operand 9) has none, allowed both or neither [lstm.peephole]"},
             {"CoupledInputPeepholeAlone", lstm(coupledWith({{9, vector(0)}})), kCellOutputs,
              "input 9 'cellToInputWeights' (operand 9) has a value, allowed only where input 10 "
              "'cellToForgetWeights' (operand 10) has one [lstm.peephole]"},
             {"ProjectionBiasAlone", lstm({{17, vector(0)}}), kCellOutputs,
              "input 17 'projectionBias' (operand 17) has a value, allowed only where input 16 "
              "'projectionWeights' (operand 16) has one [lstm.projection]"},
             {"NoCellNorm", normalized({{25, kNone}}), kCellOutputs,
              "input 24 'forgetLayerNormWeights' (operand 24) has a value and input 25 "
              "'cellLayerNormWeights' (operand 25) has none, allowed both or neither "
              "[lstm.layer_norm]"},
             {"NoInputNorm", normalized({{23, kNone}}), kCellOutputs,
              "input 24 'forgetLayerNormWeights' (operand 24) has a value and input 23 "
              "'inputLayerNormWeights' (operand 23) has none, allowed both or neither "
              "[lstm.layer_norm]"},
             {"CoupledInputNorm", normalized(kCoupled), kCellOutputs,
              "input 23 'inputLayerNormWeights' (operand 23) has a value, allowed only where input "
              "1 'inputToInputWeights' (operand 1) has one [lstm.layer_norm]"}});
    const std::vector<Arg> two = {kFloat, kFloat};
    const Arg x = f32({2, 1, 1});
    expectFails(infer, BIDIRECTIONAL,
                {{"BackwardProjectionBiasAlone", bidirectional(x, false, {{34, vector(0)}}), two,
                  "input 34 'bwProjectionBias' (operand 34) has a value, allowed only where input "
                  "33 'bwProjectionWeights' (operand 33) has one [lstm.projection]"},
                 {"BackwardNormAlone", bidirectional(x, false, {{60, vector(0)}}), two,
                  "input 60 'bwOutputLayerNormWeights' (operand 60) has a value and input 58 "
                  "'bwForgetLayerNormWeights' (operand 58) has none, allowed both or neither "
                  "[lstm.layer_norm]"},
                 {"AuxForgetWeightsAlone", bidirectional(x, false, {{41, matrix(0)}}), two,
                  "input 41 'fwAuxToForgetWeights' (operand 41) has a value and input 42 "
                  "'fwAuxToCellWeights' (operand 42) has none, allowed both or neither "
                  "[lstm.auxiliary]"},
                 {"CoupledAuxInputWeights", bidirectional(x, false, coupledWith({{40, matrix(0)}})),
                  two,
                  "input 40 'fwAuxToInputWeights' (operand 40) has a value, allowed only where "
                  "input 1 'fwInputToInputWeights' (operand 1) has one [lstm.auxiliary]"},
                 {"ForwardAuxAlone",
                  bidirectional(x, false,
                                {{39, x},
                                 {40, matrix(0)},
                                 {41, matrix(0)},
                                 {42, matrix(0)},
                                 {43, matrix(0)}}),
                  two,
                  "input 41 'fwAuxToForgetWeights' (operand 41) has a value and input 45 "
                  "'bwAuxToForgetWeights' (operand 45) has none, allowed both or neither "
                  "[lstm.auxiliary]"},
                 {"NoAuxInput",
                  bidirectional(x, false,
                                {{40, matrix(0)},
                                 {41, matrix(0)},
                                 {42, matrix(0)},
                                 {43, matrix(0)},
                                 {44, matrix(0)},
                                 {45, matrix(0)},
                                 {46, matrix(0)},
                                 {47, matrix(0)}}),
                  two,
                  "input 41 'fwAuxToForgetWeights' (operand 41) has a value, allowed only where "
                  "input 39 'auxInput' (operand 39) has one [lstm.auxiliary]"}});
}

TEST(Lstm, SaysWhyPreparationFails) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const Arg three = f32({3}), wide = f32({1, 3});
    std::vector<Arg> vast = lstm();
    for (size_t i = 0; i < 20; ++i) {
        if (!vast[i].omitted) vast[i] = i == 4 ? f32({1u << 30, 1}) : f32({});
    }
    expectFails(
            infer, LSTM,
            {{"InputRank", lstm({{0, f32({1, 1, 1})}}), kCellOutputs,
              "input 0 'input' (operand 0) has rank 3, allowed 2 [lstm.dimensions]"},
             {"InputWeights", lstm({{1, wide}}), kCellOutputs,
              "input 1 'inputToInputWeights' (operand 1) has dimensions [1, 3], allowed [1, 1] "
              "[lstm.dimensions]"},
             {"RecurrentWeights", lstm({{7, wide}}), kCellOutputs,
              "input 7 'recurrentToCellWeights' (operand 7) has dimensions [1, 3], allowed [1, 1] "
              "[lstm.dimensions]"},
             {"Peephole", lstm({{9, vector(0)}, {10, vector(0)}, {11, three}}), kCellOutputs,
              "input 11 'cellToOutputWeights' (operand 11) has dimensions [3], allowed [1] "
              "[lstm.dimensions]"},
             {"Bias", lstm({{14, three}}), kCellOutputs,
              "input 14 'cellBias' (operand 14) has dimensions [3], allowed [1] [lstm.dimensions]"},
             {"Norm", normalized({{26, three}}), kCellOutputs,
              "input 26 'outputLayerNormWeights' (operand 26) has dimensions [3], allowed [2] "
              "[lstm.dimensions]"},
             {"OutputState", lstm({{18, wide}}), kCellOutputs,
              "input 18 'outputStateIn' (operand 18) has dimensions [1, 3], allowed [1, 1] "
              "[lstm.dimensions]"},
             {"CellStateBatches", lstm({{19, f32({2, 1})}}), kCellOutputs,
              "input 19 'cellStateIn' (operand 19) has dimensions [2, 1], allowed [1, 1] "
              "[lstm.dimensions]"},
             {"Projection", lstm({{16, f32({2, 1})}}), kCellOutputs,
              "input 16 'projectionWeights' (operand 16) has dimensions [2, 1], allowed [1, 1] "
              "[lstm.dimensions]"},
             {"ProjectionBias", lstm({{16, matrix(1)}, {17, three}}), kCellOutputs,
              "input 17 'projectionBias' (operand 17) has dimensions [3], allowed [1] "
              "[lstm.dimensions]"},
             {"NoProjection", lstm({{5, wide}, {6, wide}, {7, wide}, {8, wide}, {18, wide}}),
              kCellOutputs,
              "input 16 'projectionWeights' (operand 16) has no value, and the cell state has 1 "
              "element and the output 3, allowed as many [lstm.projection]"},
             {"Activation", lstm({{20, integer(5)}}), kCellOutputs,
              "input 20 'activation' (operand 20) is 5, allowed 0 (NONE), 1 (RELU), 2 (RELU1), 3 "
              "(RELU6), 4 (TANH) or 6 (SIGMOID) [lstm.activation]"},
             {"CellClip", lstm({{21, real(-1)}}), kCellOutputs,
              "input 21 'cellClip' (operand 21) is -1, allowed 0 or more [lstm.clip]"},
             {"ProjectionClip", lstm({{22, real(kNan)}}), kCellOutputs,
              "input 22 'projectionClip' (operand 22) is nan, allowed 0 or more [lstm.clip]"},
             {"ScratchOverflows", vast, kCellOutputs,
              "dimension 1 of output 0 'scratch' (operand 23) is 4294967296, allowed up to "
              "4294967295 [lstm.size]"}});
    expectFails(infer, UNIDIRECTIONAL,
                {{"InputRank", unidirectional(matrix(2), true),
                  "input 0 'input' (operand 0) has rank 2, allowed 3 [lstm.dimensions]"},
                 {"Batches", unidirectional(f32({1, 2, 1}), true),
                  "input 18 'outputStateIn' (operand 18) has dimensions [1, 1], allowed [2, 1] "
                  "[lstm.dimensions]"},
                 {"Activation", unidirectional(f32({1, 1, 1}), true, {{20, integer(INT32_MIN)}}),
                  "input 20 'activation' (operand 20) is -2147483648, allowed 0 (NONE), 1 (RELU), "
                  "2 (RELU1), 3 (RELU6), 4 (TANH) or 6 (SIGMOID) [lstm.activation]"}});
    const Arg x = f32({2, 1, 1});
    expectFails(infer, BIDIRECTIONAL,
                {{"MergedIntoTwo", bidirectional(x, true), Out{kFloat, kFloat},
                  "input 51 'mergeOutputs' (operand 51) is true and the operation has 2 outputs, "
                  "allowed 1 or 5 [lstm.merge]"},
                 {"SeparateIntoFive", bidirectional(x, false), std::vector<Arg>(5, kFloat),
                  "input 51 'mergeOutputs' (operand 51) is false and the operation has 5 outputs, "
                  "allowed 2 or 6 [lstm.merge]"},
                 {"Clip", bidirectional(x, true, {{49, real(-1)}}),
                  "input 49 'cellClip' (operand 49) is -1, allowed 0 or more [lstm.clip]"},
                 {"AuxSteps", bidirectional(x, true, {{39, f32({3, 1, 1})}}),
                  "input 39 'auxInput' (operand 39) has dimensions [3, 1, 1], allowed [2, 1, ?] "
                  "[lstm.dimensions]"},
                 {"ParallelWeights", bidirectional(x, true, {{39, f32({2, 1, 4})}}),
                  "input 18 'bwInputToInputWeights' (operand 18) has dimensions [1, 1], allowed "
                  "[1, 4] [lstm.dimensions]"},
                 {"BackwardState", bidirectional(x, true, {{38, f32({1, 3})}}),
                  "input 38 'bwCellStateIn' (operand 38) has dimensions [1, 3], allowed [1, 1] "
                  "[lstm.dimensions]"}});
}

TEST(Lstm, InfersShapesFromWhatIsKnown) {
    const Arg unknown = f32({});
    const Changes unknownBatches = {{0, f32({0, 1})}, {18, f32({0, 1})}, {19, f32({0, 1})}};
    expectShapes(LSTM, {{"UnknownBatches", lstm(unknownBatches), kCellOutputs,
                         Shapes{{0, 4}, {0, 1}, {0, 1}, {0, 1}}},
                        {"UnknownRank", lstm({{0, unknown}}), kCellOutputs,
                         Shapes{{1, 4}, {1, 1}, {1, 1}, {1, 1}}}});
    const std::vector<Arg> three = {kFloat, kFloat, kFloat};
    expectShapes(UNIDIRECTIONAL, {{"UnknownInput", unidirectional(unknown, true), three,
                                   Shapes{{0, 0, 1}, {1, 1}, {1, 1}}}});
}

// Scratch memory, output state, cell state, output.
std::vector<Arg> gives(Arg output, Arg cellState, uint32_t blocks = 4) {
    const uint32_t size = blocks * cellState.dimensions[1];
    return {f32({1, size}, std::vector<float>(size)), output, std::move(cellState), output};
}

TEST(Lstm, ComputesAStep) {
    const float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(
            LSTM,
            {{"Linear", lstm(), gives(matrix(1.5f), matrix(3))},
             {"ForgetGate", lstm({{2, matrix(kLn3 / 2)}}), gives(matrix(2), matrix(4))},
             {"InputGate", lstm({{12, vector(kLn3)}}), gives(matrix(1.75f), matrix(3.5f))},
             {"OutputGateSeesTheOutputState", lstm({{8, matrix(kLn3 / 2)}, {18, matrix(2)}}),
              gives(matrix(2.25f), matrix(3))},
             {"CoupledInputGateIsOneMinusForgetGate", lstm(coupledWith({{13, vector(kLn3)}})),
              gives(matrix(1.75f), matrix(3.5f), 3)},
             {"PeepholesSeeTheOldStateAndTheOutputTheNewOne",
              lstm({{9, vector(0)}, {10, vector(kLn3 / 4)}, {11, vector(kLn3 / 4)}}),
              gives(matrix(3), matrix(4))},
             {"CoupledIgnoresTheInputPeephole",
              lstm(coupledWith({{9, vector(100)}, {10, vector(0)}, {11, vector(0)}})),
              gives(matrix(1.5f), matrix(3), 3)},
             {"CellClip", lstm({{21, real(1)}}), gives(matrix(0.5f), matrix(1))},
             {"CellClipComesBeforeTheOutputPeephole",
              lstm({{9, vector(0)}, {10, vector(0)}, {11, vector(kLn3)}, {21, real(1)}}),
              gives(matrix(0.75f), matrix(1))},
             {"ProjectionClipWithoutProjection", lstm({{22, real(1)}}),
              gives(matrix(1.5f), matrix(3))},
             {"Relu", lstm({{0, matrix(-2)}, {20, integer(1)}}), gives(matrix(1), matrix(2))},
             {"Relu1", lstm({{0, matrix(-2)}, {20, integer(2)}}),
              gives(matrix(0.5f), matrix(1.5f))},
             {"Relu6", lstm({{0, matrix(20)}, {20, integer(3)}}), gives(matrix(2.5f), matrix(5))},
             {"Tanh", lstm({{0, matrix(0)}, {20, integer(4)}}),
              gives(matrix(std::tanh(2.0f) / 2), matrix(2))},
             {"Sigmoid", lstm({{0, matrix(kLn3)}, {19, matrix(1.25f)}, {20, integer(6)}}),
              gives(matrix(0.5f / (1 + std::exp(-1.0f))), matrix(1))},
             {"HugeSumsOpenTheGates",
              lstm({{0, matrix(1e30f)},
                    {1, matrix(1e30f)},
                    {2, matrix(1e30f)},
                    {3, matrix(1e30f)},
                    {4, matrix(1e30f)},
                    {20, integer(4)}}),
              gives(matrix(std::tanh(5.0f)), matrix(5))},
             {"InfiniteStateIsClipped", lstm({{19, matrix(kInfinity)}, {21, real(2)}}),
              gives(matrix(1), matrix(2))},
             {"SumsAreDouble",
              lstm({{3, matrix(1e8f)}, {7, matrix(-1e8f)}, {14, vector(2)}, {18, matrix(2)}}),
              gives(matrix(1.5f), matrix(3))},
             {"Half", halves(lstm()), halves(gives(matrix(1.5f), matrix(3)))}});
}

TEST(Lstm, Projects) {
    const Arg recurrent = f32({1, 2}, {0, 0});
    const Changes projected = {{5, recurrent},
                               {6, recurrent},
                               {7, recurrent},
                               {8, recurrent},
                               {16, f32({2, 1}, {2, -1})},
                               {18, f32({1, 2}, {0, 0})}};
    const std::vector<Arg> inputs = lstm(projected);
    expectComputes(LSTM, {{"Weights", inputs, gives(f32({1, 2}, {3, -1.5f}), matrix(3))},
                          {"Bias", with(inputs, {{17, f32({2}, {1, 0.25f})}}),
                           gives(f32({1, 2}, {4, -1.25f}), matrix(3))},
                          {"Clip", with(inputs, {{22, real(1.25f)}}),
                           gives(f32({1, 2}, {1.25f, -1.25f}), matrix(3))}});
}

TEST(Lstm, NormalizesLayers) {
    const Arg cellWeights = f32({2, 1}, {1, -1});  // sums 2 and -2, normalized 1 and -1
    const Changes cellNorm = {{3, cellWeights}, {14, f32({2}, {0, 2})}, {25, f32({2}, {3, 1})}};
    Changes peephole = cellNorm;
    const Arg ones = f32({2}, {1, 1}), zeros = f32({2}, {0, 0}), steep = f32({2}, {kLn3, kLn3});
    peephole.insert({{9, zeros}, {10, ones}, {11, zeros}, {24, steep}});
    Changes coupled = peephole;
    for (const size_t input : {1, 5, 9, 12, 23}) coupled.insert_or_assign(input, kNone);
    expectComputes(LSTM, {{"BiasComesAfter", normalized(cellNorm),
                           gives(f32({1, 2}, {1.75f, 0.25f}), f32({1, 2}, {3.5f, 0.5f}))},
                          {"PeepholeComesBefore", normalized(peephole),
                           gives(f32({1, 2}, {2.25f, 0.25f}), f32({1, 2}, {4.5f, 0.5f}))},
                          {"Coupled", normalized(coupled),
                           gives(f32({1, 2}, {1.875f, 0.375f}), f32({1, 2}, {3.75f, 0.75f}), 3)}});
}

TEST(Lstm, RunsAlongASequence) {
    const Changes states = {{18, f32({2, 1}, {0, 0})}, {19, f32({2, 1}, {4, 0})}};
    const Arg outputState = f32({2, 1}, {0.75f, 1}), cellState = f32({2, 1}, {1.5f, 2});
    const Arg x = f32({2, 1, 1}, {2, 0});
    const Arg y = f32({2, 1, 1}, {1.5f, 0.75f});
    expectComputes(
            UNIDIRECTIONAL,
            {{"TimeMajor", unidirectional(f32({2, 2, 1}, {2, 4, 0, 2}), true, states),
              Out{f32({2, 2, 1}, {1.5f, 1, 0.75f, 1}), outputState, cellState}},
             {"BatchMajor", unidirectional(f32({2, 2, 1}, {2, 0, 4, 2}), false, states),
              Out{f32({2, 2, 1}, {1.5f, 0.75f, 1, 1}), outputState, cellState}},
             {"OneOutput", unidirectional(x, true), Out{y}},
             {"NegativeClipIsNone", unidirectional(x, true, {{21, real(-1)}}), Out{y}},
             {"ProjectionBiasAloneIsIgnored", unidirectional(x, true, {{17, vector(9)}}), Out{y}},
             {"Half", halves(unidirectional(x, true)), halves({y})}});
}

TEST(Lstm, RunsFromBothEnds) {
    const Arg x = f32({2, 1, 1}, {2, 0});
    const Arg forward = f32({2, 1, 1}, {1.5f, 0.75f}), backward = f32({2, 1, 1}, {0.5f, 0});
    const std::vector<Arg> states = {matrix(0.75f), matrix(1.5f), matrix(0.5f), matrix(1)};
    const auto together = [](std::vector<Arg> outputs, const std::vector<Arg>& more) {
        append(outputs, more);
        return outputs;
    };
    const Arg two = f32({1, 2}, {0, 0});
    const Changes projected = {
            {22, two}, {23, two},  {24, two},  {25, two},  {33, f32({2, 1}, {2, -1})},
            {37, two}, {1, kNone}, {5, kNone}, {12, kNone}};
    const Changes batchMajor = {{52, boolean(false)},
                                {35, f32({2, 1}, {0, 0})},
                                {36, f32({2, 1}, {4, 0})},
                                {37, f32({2, 1}, {0, 0})},
                                {38, f32({2, 1}, {0, 0})}};
    const Arg row = f32({1, 2}, {0, 0});
    const Changes parallel = {{39, f32({2, 1, 2}, {1, 2, 4, 8})},
                              {18, row},
                              {19, row},
                              {20, f32({1, 2}, {1, 1})},
                              {21, row}};
    Changes cross = {{39, f32({2, 1, 1}, {2, 4})}};
    for (size_t i = 40; i < 48; ++i) cross[i] = matrix(i == 42 || i == 46 ? 1 : 0);
    expectComputes(
            BIDIRECTIONAL,
            {{"Separate", bidirectional(x, false), Out{forward, backward}},
             {"Merged", bidirectional(x, true), Out{f32({2, 1, 2}, {1.5f, 0.5f, 0.75f, 0})}},
             {"SeparateStates", bidirectional(x, false), together({forward, backward}, states)},
             {"MergedStates", bidirectional(x, true),
              together({f32({2, 1, 2}, {1.5f, 0.5f, 0.75f, 0})}, states)},
             {"CellsMayDiffer", bidirectional(x, true, projected),
              Out{f32({2, 1, 3}, {1.5f, 1, -0.5f, 0.75f, 0, 0})}},
             {"BatchMajor", bidirectional(f32({2, 2, 1}, {2, 0, 4, 2}), true, batchMajor),
              Out{f32({2, 2, 2}, {1.5f, 0.5f, 0.75f, 0, 1, 1.25f, 1, 0.5f})}},
             {"ParallelLinking", bidirectional(x, false, parallel),
              Out{forward, f32({2, 1, 1}, {2.25f, 3})}},
             {"CrossLinking", bidirectional(x, false, cross),
              Out{f32({2, 1, 1}, {2, 2}), f32({2, 1, 1}, {1.5f, 1})}},
             {"Half", halves(bidirectional(x, false)), halves({forward, backward})}});
}

// For each step, four gates with the bias, the input and the output state.
TEST(Lstm, CountsItsSteps) {
    EXPECT_EQ(stepsOf(LSTM, lstm(), kCellOutputs), 4u * (1 + 1 + 1));
    EXPECT_EQ(stepsOf(UNIDIRECTIONAL, unidirectional(f32({3, 1, 1}, {1, 2, 3}), true), {kFloat}),
              3u * 4 * (1 + 1 + 1));
    EXPECT_EQ(stepsOf(LSTM, lstm({{16, matrix(1)}}), kCellOutputs), 4u * (1 + 1 + 1) + (1 + 1));
}

}  // namespace
}  // namespace nn::ops::lstm_test
