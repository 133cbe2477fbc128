#include "ops/op_test.h"

namespace nn::ops::fully_connected_test {
namespace {

constexpr auto FULLY_CONNECTED = OperationType::FULLY_CONNECTED;

struct Case {
    const char* name;
    std::vector<Arg> inputs;
    Arg output;
};

Arg bias32(std::vector<int32_t> values, float scale) {
    Arg bias = i32({static_cast<uint32_t>(values.size())}, values);
    bias.scale = scale;
    return bias;
}

std::vector<Arg> quantised(float biasScale) {
    return {q8({1, 3}, {}, 0.5, 0), q8({2, 3}, {}, 0.5, 0), bias32({0, 0}, biasScale), integer(0)};
}

TEST(FullyConnected, NeedsTheLeastVersion) {
    const struct {
        Case operands;
        Version needed;
    } kLegal[] = {
            {{"Float", {f32({1, 3}), f32({2, 3}), f32({2}), integer(0)}, f32({})}, V1_0},
            {{"RankFour", {f32({1, 1, 1, 3}), f32({2, 3}), f32({2}), integer(0)}, f32({})}, V1_0},
            {{"UnknownRankSkipsTheOthers",
              {f32({}), f32({2, 3, 1}), f32({2}), integer(0)},
              f32({})},
             V1_0},
            {{"Half", {f16({}), f16({}), f16({}), integer(0)}, f16({})}, V1_2},
            {{"Quantised", quantised(0.25), q8({}, {}, 0.5, 0)}, V1_0},
            {{"ScaleNotAboveProduct", quantised(0.25), q8({}, {}, 0.25, 0)}, V1_2},
            {{"Signed",
              {qs8({}, {}, 1, 0), qs8({}, {}, 1, 0), i32({}), integer(0)},
              qs8({}, {}, 1, 0)},
             V1_3},
    };
    for (const auto& row : kLegal) {
        EXPECT_THAT(check(FULLY_CONNECTED, row.operands.inputs, {row.operands.output}),
                    Needs(row.needed))
                << row.operands.name;
    }
}

struct Broken {
    const char* name;
    std::vector<Arg> inputs;
    const char* message;
};

TEST(FullyConnected, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {"NoActivation",
             {f32({1, 3}), f32({2, 3}), f32({2})},
             "FULLY_CONNECTED: has 3 inputs, allowed 4 [fully_connected.inputs]"},
            {"InputRank",
             {f32({3}), f32({2, 3}), f32({2}), integer(0)},
             "FULLY_CONNECTED: input 0 'input' (operand 0) has rank 1, allowed 2 to 4 "
             "[fully_connected.rank]"},
            {"WeightsRank",
             {f32({1, 3}), f32({2, 3, 1}), f32({2}), integer(0)},
             "FULLY_CONNECTED: input 1 'weights' (operand 1) has rank 3, allowed 2 "
             "[fully_connected.rank]"},
            {"BiasRank",
             {f32({1, 3}), f32({2, 3}), f32({2, 1}), integer(0)},
             "FULLY_CONNECTED: input 2 'bias' (operand 2) has rank 2, allowed 1 "
             "[fully_connected.rank]"},
            {"Size",
             {f32({2, 2}), f32({2, 3}), f32({2}), integer(0)},
             "FULLY_CONNECTED: input 0 'input' (operand 0) has 4 elements, allowed multiples of 3, "
             "dimension 1 of input 1 'weights' (operand 1) [fully_connected.size]"},
            {"Units",
             {f32({1, 3}), f32({2, 3}), f32({3}), integer(0)},
             "FULLY_CONNECTED: dimension 0 of the bias is 3, allowed 2 as dimension 0 of the "
             "weights [fully_connected.units]"},
    };
    for (const Broken& row : kBroken) {
        EXPECT_THAT(check(FULLY_CONNECTED, row.inputs, {f32({})}), Fails(row.message)) << row.name;
    }
}

TEST(FullyConnected, SaysWhyPreparationFails) {
    const Broken kBroken[] = {
            {"BiasScale", quantised(0.3f),
             "FULLY_CONNECTED: input 2 'bias' (operand 2) has scale 0.3, allowed 0.25, the product "
             "of the scales of input 0 'input' (operand 0) and input 1 'weights' (operand 1) "
             "[fully_connected.bias]"},
            {"Activation",
             {f32({1, 3}), f32({2, 3}), f32({2}), integer(5)},
             "FULLY_CONNECTED: input 3 'activation' (operand 3) is 5, allowed 0 (NONE), 1 (RELU), "
             "2 (RELU1) or 3 (RELU6) [fully_connected.activation]"},
            {"WeightsRankWithUnknownInput",
             {f32({}), f32({2, 3, 1}), f32({2}), integer(0)},
             "FULLY_CONNECTED: input 1 'weights' (operand 1) has rank 3, allowed 2 "
             "[fully_connected.rank]"},
    };
    for (const Broken& row : kBroken) {
        Arg output = f32({});
        output.type = row.inputs[0].type;
        output.scale = 1;
        EXPECT_THAT(infer(FULLY_CONNECTED, row.inputs, {output}), Fails(row.message)) << row.name;
    }
}

TEST(FullyConnected, SaysWhyExecutionFails) {
    EXPECT_THAT(run(FULLY_CONNECTED, {f32({0, 0}), f32({2, 0}), f32({2}, {0, 0}), integer(0)},
                    {f32({})}),
                Fails("FULLY_CONNECTED: dimension 1 of input 1 'weights' (operand 1) is 0, allowed "
                      "above 0 [fully_connected.size]"));
}

TEST(FullyConnected, InfersShapesFromWhatIsKnown) {
    const struct {
        const char* name;
        std::vector<Arg> inputs;
        std::vector<uint32_t> expected;
    } kShapes[] = {
            {"Flattens", {f32({4, 1, 3, 2}), f32({2, 6}), f32({2}), integer(0)}, {4, 2}},
            {"BatchesAreElementsBySize", {f32({4, 6}), f32({2, 3}), f32({2}), integer(0)}, {8, 2}},
            {"UnknownBatches", {f32({0, 3}), f32({2, 3}), f32({2}), integer(0)}, {0, 2}},
            {"UnknownWeights", {f32({1, 3}), f32({}), f32({2}), integer(0)}, {0, 0}},
    };
    for (const auto& row : kShapes) {
        const Outcome outcome = infer(FULLY_CONNECTED, row.inputs, {f32({})});
        EXPECT_EQ(outcome.error, "") << row.name;
        EXPECT_EQ(outcome.outputs[0].dimensions, row.expected) << row.name;
    }
}

TEST(FullyConnected, Computes) {
    const Arg weights = f32({2, 3}, {1, 2, 3, -1, 0, 1});
    const Case kValues[] = {
            {"OneBatch",
             {f32({1, 3}, {1, 10, 100}), weights, f32({2}, {0.5, 1}), integer(0)},
             f32({1, 2}, {321.5, 100})},
            {"Flattens",
             {f32({1, 2, 3}, {1, 10, 100, 1, 1, 1}), weights, f32({2}, {0, -100}), integer(1)},
             f32({2, 2}, {321, 0, 6, 0})},
            {"Half",
             {f16({1, 2}, {1, 2}), f16({1, 2}, {3, 4}), f16({1}, {0.5}), integer(0)},
             f16({1, 1}, {11.5})},
            // (1 * 2 + 2 * 3) * 0.5 * 0.5 + 8 * 0.25 = 4
            {"Quantised",
             {q8({1, 2}, {129, 130}, 0.5, 128), q8({1, 2}, {5, 6}, 0.5, 3), bias32({8}, 0.25),
              integer(0)},
             q8({1, 1}, {14}, 1, 10)},
            {"QuantisedRelu6",
             {q8({1, 2}, {129, 130}, 0.5, 128), q8({1, 2}, {5, 6}, 0.5, 3), bias32({80}, 0.25),
              integer(3)},
             q8({1, 1}, {22}, 0.5, 10)},
            {"QuantisedSumWraps",
             {q8({1, 1}, {255}, 1, 0), q8({1, 1}, {255}, 1, 0), bias32({INT32_MAX}, 1), integer(0)},
             q8({1, 1}, {0}, 1, 0)},
            {"Signed",
             {qs8({1, 2}, {-2, 5}, 0.5, 0), qs8({1, 2}, {4, -3}, 0.5, 0), bias32({0}, 0.25),
              integer(0)},
             qs8({1, 1}, {-23}, 0.25, 0)},
            {"NoBatches", {f32({0, 3}), weights, f32({2}, {0, 0}), integer(0)}, f32({0, 2})},
    };
    for (const Case& row : kValues) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(FULLY_CONNECTED, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::fully_connected_test
