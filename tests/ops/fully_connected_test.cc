#include "ops/tables.h"

namespace nn::ops::fully_connected_test {
namespace {

constexpr auto FULLY_CONNECTED = OperationType::FULLY_CONNECTED;

const std::vector<Arg> kFloats = {f32({1, 3}), f32({2, 3}), f32({2}), integer(0)};

std::vector<Arg> quantized(float biasScale) {
    return {q8({1, 3}, {}, 0.5, 0), q8({2, 3}, {}, 0.5, 0), scaled(biasScale, i32({2}, {0, 0})),
            integer(0)};
}

TEST(FullyConnected, NeedsTheLeastVersion) {
    expectNeeds(FULLY_CONNECTED,
                {{"RankFour", with(kFloats, {{0, f32({1, 1, 1, 3})}}), V1_0},
                 {"UnknownRankSkipsTheOthers", with(kFloats, {{0, f32({})}, {1, f32({2, 3, 1})}}),
                  V1_0},
                 {"Half", In{f16({}), f16({}), f16({}), integer(0)}, Out{f16({})}, V1_2},
                 {"ScaleNotAboveProduct", quantized(0.25), Out{q8({}, {}, 0.25, 0)}, V1_2},
                 {"Signed", In{qs8({}, {}, 1, 0), qs8({}, {}, 1, 0), i32({}), integer(0)},
                  Out{qs8({}, {}, 1, 0)}, V1_3}});
}

TEST(FullyConnected, SaysWhyItRefuses) {
    expectFails(check, FULLY_CONNECTED,
                {{"InputRank", with(kFloats, {{0, f32({3})}}),
                  "input 0 'input' (operand 0) has rank 1, allowed 2 to 4 [fully_connected.rank]"},
                 {"WeightsRank", with(kFloats, {{1, f32({2, 3, 1})}}),
                  "input 1 'weights' (operand 1) has rank 3, allowed 2 [fully_connected.rank]"},
                 {"BiasRank", with(kFloats, {{2, f32({2, 1})}}),
                  "input 2 'bias' (operand 2) has rank 2, allowed 1 [fully_connected.rank]"},
                 {"Size", with(kFloats, {{0, f32({2, 2})}}),
                  "input 0 'input' (operand 0) has 4 elements, allowed multiples of 3, dimension 1 "
                  "of input 1 'weights' (operand 1) [fully_connected.size]"},
                 {"Units", with(kFloats, {{2, f32({3})}}),
                  "dimension 0 of the bias is 3, allowed 2 as dimension 0 of the weights "
                  "[fully_connected.units]"}});
}

TEST(FullyConnected, SaysWhyPreparationFails) {
    expectFails(infer, FULLY_CONNECTED,
                {{"BiasScale", quantized(0.3f), Out{q8({}, {}, 1, 0)},
                  "input 2 'bias' (operand 2) has scale 0.3, allowed 0.25, the product of the "
                  "scales of input 0 'input' (operand 0) and input 1 'weights' (operand 1) "
                  "[fully_connected.bias]"},
                 {"Activation", with(kFloats, {{3, integer(5)}}),
                  "input 3 'activation' (operand 3) is 5, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or "
                  "3 (RELU6) [fully_connected.activation]"},
                 {"WeightsRankWithUnknownInput", with(kFloats, {{0, f32({})}, {1, f32({2, 3, 1})}}),
                  "input 1 'weights' (operand 1) has rank 3, allowed 2 [fully_connected.rank]"}});
}

TEST(FullyConnected, SaysWhyExecutionFails) {
    expectFails(run, FULLY_CONNECTED,
                {{"NoColumns", In{f32({0, 0}), f32({2, 0}), f32({2}, {0, 0}), integer(0)},
                  "dimension 1 of input 1 'weights' (operand 1) is 0, allowed above 0 "
                  "[fully_connected.size]"}});
}

TEST(FullyConnected, InfersShapesFromWhatIsKnown) {
    expectShapes(FULLY_CONNECTED,
                 {{"BatchesAreElementsBySize", with(kFloats, {{0, f32({4, 6})}}), Shapes{{8, 2}}},
                  {"UnknownBatches", with(kFloats, {{0, f32({0, 3})}}), Shapes{{0, 2}}},
                  {"UnknownWeights", with(kFloats, {{1, f32({})}}), Shapes{{0, 0}}}});
}

TEST(FullyConnected, Computes) {
    const Arg weights = f32({2, 3}, {1, 2, 3, -1, 0, 1});
    expectComputes(FULLY_CONNECTED,
                   {{"QuantizedSumWraps",
                     In{q8({1, 1}, {255}, 1, 0), q8({1, 1}, {255}, 1, 0),
                        scaled(1, i32({1}, {INT32_MAX})), integer(0)},
                     Out{q8({1, 1}, {0}, 1, 0)}},
                    {"NoBatches", In{f32({0, 3}), weights, f32({2}, {0, 0}), integer(0)},
                     Out{f32({0, 2})}}});
}

}  // namespace
}  // namespace nn::ops::fully_connected_test
