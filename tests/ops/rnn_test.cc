#include "ops/tables.h"

namespace nn::ops::rnn_test {
namespace {

constexpr auto RNN = OperationType::RNN;
constexpr auto UNIDIRECTIONAL = OperationType::UNIDIRECTIONAL_SEQUENCE_RNN;
constexpr auto BIDIRECTIONAL = OperationType::BIDIRECTIONAL_SEQUENCE_RNN;

using Args = std::vector<Arg>;

// One step of one unit: act(weight * x), independent of the state.
Args oneUnit(float weight, float x, int32_t activation) {
    return {f32({1, 1}, {x}), f32({1, 1}, {weight}), f32({1, 1}, {0}),
            f32({1}, {0}),    f32({1, 1}, {9}),      integer(activation)};
}

// A sequence through one unit: y = x + 2 * (previous y), initially 1 or 10.
Args sequence(Arg input, int32_t timeMajor) {
    return {std::move(input),     f32({1, 1}, {1}), f32({1, 1}, {2}),  f32({1}, {0}),
            f32({2, 1}, {1, 10}), integer(0),       integer(timeMajor)};
}

// x = (1, 2) forward through one unit and backward through two, without and with auxiliary inputs.
Args bidirectional(bool merge) {
    return {f32({2, 1, 1}, {1, 2}),
            f32({1, 1}, {1}),
            f32({1, 1}, {1}),
            f32({1}, {0}),
            f32({1, 1}, {0}),
            f32({2, 1}, {1, 10}),
            f32({2, 2}, {1, 0, 0, 1}),
            f32({2}, {0, 0.5f}),
            f32({1, 2}, {0, 0}),
            omitted(TENSOR_FLOAT32),
            omitted(TENSOR_FLOAT32),
            omitted(TENSOR_FLOAT32),
            integer(0),
            boolean(true),
            boolean(merge)};
}

// Backward through one unit with x, or an auxiliary input of three values, and no state.
Args linked(Arg backwardWeights, Arg forwardAuxiliary, Arg backwardAuxiliary) {
    return {f32({2, 1, 1}, {1, 2}),
            f32({1, 1}, {1}),
            f32({1, 1}, {0}),
            f32({1}, {0}),
            f32({1, 1}, {0}),
            std::move(backwardWeights),
            f32({1, 1}, {0}),
            f32({1}, {0}),
            f32({1, 1}, {0}),
            f32({2, 1, 3}, {1, 2, 3, 4, 5, 6}),
            std::move(forwardAuxiliary),
            std::move(backwardAuxiliary),
            integer(0),
            boolean(true),
            boolean(false)};
}

// The same operands as float16, without their values.
Args halves(Args args) {
    for (Arg& arg : args) {
        if (arg.type == TENSOR_FLOAT32)
            arg = {TENSOR_FLOAT16, arg.dimensions, {}, 0, 0, {}, arg.omitted};
    }
    return args;
}

const Arg kAny = f32({});

TEST(Rnn, NeedsTheLeastVersion) {
    expectNeeds(UNIDIRECTIONAL, {{"Output", sequence(kAny, 0), V1_2},
                                 {"Half", halves(sequence(kAny, 0)), Out{f16({})}, V1_2},
                                 {"State", sequence(kAny, 0), Out{kAny, kAny}, V1_3}});
    expectNeeds(BIDIRECTIONAL,
                {{"Merged", bidirectional(true), V1_2},
                 {"Separate", bidirectional(false), Out{kAny, kAny}, V1_2},
                 {"Half", halves(bidirectional(true)), Out{f16({})}, V1_2},
                 {"MergedStates", bidirectional(true), Out{kAny, kAny, kAny}, V1_3},
                 {"SeparateStates", bidirectional(false), Out{kAny, kAny, kAny, kAny}, V1_3}});
}

TEST(Rnn, SaysWhyPreparationFails) {
    const Args step = oneUnit(1, 1, 0);
    expectFails(
            infer, RNN,
            {{"SignBitActivation", oneUnit(1, 1, 5), Out{kAny, kAny},
              "input 5 'activation' (operand 5) is 5, allowed 0 (NONE), 1 (RELU), 2 (RELU1), 3 "
              "(RELU6), 4 (TANH) or 6 (SIGMOID) [rnn.activation]"},
             {"InputOfRankThree", with(step, {{0, f32({1, 1, 1})}}), Out{kAny, kAny},
              "input 0 'input' (operand 0) has rank 3, allowed 2 [rnn.rank]"},
             {"InputSizes", with(step, {{0, f32({1, 3})}}), Out{kAny, kAny},
              "input 1 'weights' (operand 1) has dimensions [1, 1], allowed [1, 3] [rnn.shapes]"},
             {"RecurrentWeightsNotSquare", with(step, {{2, f32({1, 2})}}), Out{kAny, kAny},
              "input 2 'recurrentWeights' (operand 2) has dimensions [1, 2], allowed [1, 1] "
              "[rnn.shapes]"},
             {"BiasSize", with(step, {{3, f32({2})}}), Out{kAny, kAny},
              "input 3 'bias' (operand 3) has dimensions [2], allowed [1] [rnn.shapes]"},
             {"StateOfOtherBatch", with(step, {{4, f32({2, 1})}}), Out{kAny, kAny},
              "input 4 'hiddenStateIn' (operand 4) has dimensions [2, 1], allowed [1, 1] "
              "[rnn.shapes]"}});
    expectFails(infer, UNIDIRECTIONAL,
                {{"TimeMajor", sequence(f32({1, 2, 1}), 2),
                  "input 6 'timeMajor' (operand 6) is 2, allowed 0 or 1 [rnn.time_major]"},
                 {"Activation", with(sequence(f32({1, 2, 1}), 1), {{5, integer(-1)}}),
                  "input 5 'activation' (operand 5) is -1, allowed 0 (NONE), 1 (RELU), 2 (RELU1), "
                  "3 (RELU6), 4 (TANH) or 6 (SIGMOID) [rnn.activation]"},
                 {"InputOfRankTwo", sequence(f32({2, 1}), 1),
                  "input 0 'input' (operand 0) has rank 2, allowed 3 [rnn.rank]"},
                 {"BatchIsFirst", sequence(f32({1, 2, 1}), 0),
                  "input 4 'hiddenStateIn' (operand 4) has dimensions [2, 1], allowed [1, 1] "
                  "[rnn.shapes]"}});
    const Arg one = f32({1, 1});
    const Arg auxiliary = f32({2, 1, 3});
    const Args separate = bidirectional(false);
    expectFails(
            infer, BIDIRECTIONAL,
            {{"WeightsWithoutAuxiliaryInput", with(separate, {{10, one}, {11, f32({2, 1})}}),
              Out{kAny, kAny},
              "input 9 'auxiliaryInput' (operand 9) is omitted, input 10 'forwardAuxiliaryWeights' "
              "(operand 10) is given and input 11 'backwardAuxiliaryWeights' (operand 11) is "
              "given, allowed none, the first, or all given [rnn.linking]"},
             {"HalfCrossLinked", with(separate, {{9, auxiliary}, {10, one}}), Out{kAny, kAny},
              "input 9 'auxiliaryInput' (operand 9) is given, input 10 'forwardAuxiliaryWeights' "
              "(operand 10) is given and input 11 'backwardAuxiliaryWeights' (operand 11) is "
              "omitted, allowed none, the first, or all given [rnn.linking]"},
             {"NotMerged", separate,
              "input 14 'mergeOutputs' (operand 14) is false, allowed true for 1 output "
              "[rnn.merge]"},
             {"Merged", bidirectional(true), Out{kAny, kAny, kAny, kAny},
              "input 14 'mergeOutputs' (operand 14) is true, allowed false for 4 outputs "
              "[rnn.merge]"},
             {"AuxiliaryOfOtherTimes", with(separate, {{9, f32({3, 1, 1})}}), Out{kAny, kAny},
              "input 9 'auxiliaryInput' (operand 9) has dimensions [3, 1, 1], allowed [2, 1, ?] "
              "[rnn.shapes]"},
             {"ParallelWeightsMeetAuxiliary", with(separate, {{9, auxiliary}}), Out{kAny, kAny},
              "input 5 'backwardWeights' (operand 5) has dimensions [2, 1], allowed [2, 3] "
              "[rnn.shapes]"},
             {"CrossWeightsMeetAuxiliary",
              with(separate, {{9, auxiliary}, {10, f32({1, 3})}, {11, f32({1, 3})}}),
              Out{kAny, kAny},
              "input 11 'backwardAuxiliaryWeights' (operand 11) has dimensions [1, 3], allowed [2, "
              "3] [rnn.shapes]"},
             {"MergedTooLarge",
              with(bidirectional(true), {{5, f32({4294967295u, 0})},
                                         {6, f32({4294967295u, 4294967295u})},
                                         {7, f32({4294967295u})},
                                         {8, f32({1, 4294967295u})},
                                         {0, f32({2, 1, 0})}}),
              "dimension 2 of output 0 'output' (operand 15) is 4294967296, allowed up to "
              "4294967295 [rnn.shapes]"}});
}

TEST(Rnn, InfersShapes) {
    expectShapes(RNN, {{"UnitsFromBias", In{kAny, kAny, kAny, f32({3}), f32({2, 0}), integer(0)},
                        Out{kAny, kAny}, Shapes{{2, 3}, {2, 3}}}});
    const Args inputs = sequence(f32({4, 2, 1}), 1);
    expectShapes(UNIDIRECTIONAL, {{"UnknownOrder", with(inputs, {{6, {.type = INT32}}}),
                                   Out{kAny, kAny}, Shapes{{4, 2, 1}, {0, 1}}},
                                  {"UnknownInput", with(inputs, {{0, kAny}}), Out{kAny, kAny},
                                   Shapes{{0, 0, 1}, {0, 1}}}});
    expectShapes(BIDIRECTIONAL,
                 {{"UnknownMerge", with(bidirectional(true), {{14, {.type = BOOL}}}),
                   Out{kAny, kAny}, Shapes{{2, 1, 1}, {2, 1, 2}}},
                  {"UnknownUnits",
                   with(bidirectional(true), {{1, kAny}, {2, kAny}, {3, kAny}, {4, kAny}}),
                   Shapes{{2, 1, 0}}}});
}

TEST(Rnn, ComputesOneStep) {
    const auto gives = [](float y) { return Args{f32({1, 1}, {y}), f32({1, 1}, {y})}; };
    expectComputes(RNN, {{"Relu1", oneUnit(-7, 1, 2), gives(-1)},
                         {"Tanh", oneUnit(0.5f, 1, 4), gives(0.46211716f)},
                         {"Sigmoid", oneUnit(2, 1, 6), gives(0.88079708f)}});
}

TEST(Rnn, SumsWithoutLosingSmallTerms) {
    std::vector<float> ones(21, 1.0f);
    std::vector<float> weights(21, 1.0f);
    weights.front() = 1e9f;
    weights.back() = -1e9f;
    expectComputes(RNN, {{"Cancels",
                          In{f32({1, 21}, ones), f32({1, 21}, weights), f32({1, 1}, {0}),
                             f32({1}, {0}), f32({1, 1}, {0}), integer(0)},
                          Out{f32({1, 1}, {19}), f32({1, 1}, {19})}}});
}

TEST(Rnn, ComputesSequences) {
    expectComputes(UNIDIRECTIONAL,
                   {{"TimeMajor", sequence(f32({3, 2, 1}, {1, 2, 3, 4, 5, 6}), 1),
                     Out{f32({3, 2, 1}, {3, 22, 9, 48, 23, 102}), f32({2, 1}, {23, 102})}},
                    {"BatchMajor", sequence(f32({2, 3, 1}, {1, 3, 5, 2, 4, 6}), 0),
                     Out{f32({2, 3, 1}, {3, 9, 23, 22, 48, 102}), f32({2, 1}, {23, 102})}}});
}

// The backward output is stored at the time of its input; its state is the one after the first
// time.
TEST(Rnn, ComputesBothDirections) {
    expectComputes(
            BIDIRECTIONAL,
            {{"Separate", bidirectional(false),
              Out{f32({2, 1, 1}, {1, 3}), f32({2, 1, 2}, {3, 31, 2, 20.5f}), f32({1, 1}, {3}),
                  f32({1, 2}, {3, 31})}},
             {"Merged", bidirectional(true),
              Out{f32({2, 1, 3}, {1, 3, 31, 3, 2, 20.5f}), f32({1, 1}, {3}), f32({1, 2}, {3, 31})}},
             {"BatchMajor",
              In{f32({2, 2, 1}, {1, 2, 3, 4}), f32({1, 1}, {1}), f32({1, 1}, {1}), f32({1}, {0}),
                 f32({2, 1}, {0, 0}), f32({1, 1}, {1}), f32({1, 1}, {1}), f32({1}, {0}),
                 f32({2, 1}, {0, 0}), omitted(TENSOR_FLOAT32), omitted(TENSOR_FLOAT32),
                 omitted(TENSOR_FLOAT32), integer(0), boolean(false), boolean(true)},
              Out{f32({2, 2, 2}, {1, 3, 3, 2, 3, 7, 7, 4})}}});
}

TEST(Rnn, LinksAuxiliaryInputs) {
    const Arg none = omitted(TENSOR_FLOAT32);
    const Arg digits = f32({1, 3}, {1, 10, 100});
    expectComputes(BIDIRECTIONAL,
                   {{"Parallel", linked(digits, none, none),
                     Out{f32({2, 1, 1}, {1, 2}), f32({2, 1, 1}, {321, 654})}},
                    {"Cross", linked(f32({1, 1}, {-1}), digits, f32({1, 3}, {0, 0, 1})),
                     Out{f32({2, 1, 1}, {322, 656}), f32({2, 1, 1}, {2, 4})}}});
}

// For each step the bias, the input and the hidden state.
TEST(Rnn, CountsItsSteps) {
    EXPECT_EQ(stepsOf(UNIDIRECTIONAL, sequence(f32({3, 2, 1}, {1, 2, 3, 4, 5, 6}), 1), {f32({})}),
              3u * 2 * (1 + 1 + 1));
    // Auxiliary inputs have three values.
    const Arg three = f32({1, 3}, {1, 10, 100});
    EXPECT_EQ(stepsOf(BIDIRECTIONAL, linked(f32({1, 1}, {-1}), three, three), {f32({}), f32({})}),
              2u * 2 * (1 + 1 + 3 + 1));
}

}  // namespace
}  // namespace nn::ops::rnn_test
