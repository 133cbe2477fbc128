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

// Numbers of rows around the threshold for packing weights, and around the sizes of a vector and a
// block.
TEST(FullyConnected, ComputesEachNumberOfRows) {
    for (const uint32_t batches : {1u, 2u, 6u, 7u}) {
        for (const uint32_t size : {1u, 7u, 8u, 9u, 33u}) {
            for (const uint32_t units : {1u, 7u, 8u, 9u, 16u, 17u, 35u}) {
                std::vector<float> x, weights, bias, y(batches * units);
                for (uint32_t i = 0; i < batches * size; ++i)
                    x.push_back(static_cast<float>(i * 7 % 23) - 11);
                for (uint32_t i = 0; i < units * size; ++i)
                    weights.push_back(static_cast<float>(i * 5 % 19) - 9);
                for (uint32_t i = 0; i < units; ++i) bias.push_back(static_cast<float>(i));
                for (uint32_t n = 0; n < batches; ++n) {
                    for (uint32_t k = 0; k < units; ++k) {
                        float& sum = y[n * units + k] = bias[k];
                        for (uint32_t i = 0; i < size; ++i)
                            sum += x[n * size + i] * weights[k * size + i];
                    }
                }
                SCOPED_TRACE(std::to_string(batches) + " x " + std::to_string(size) + " to " +
                             std::to_string(units));
                expectComputes(FULLY_CONNECTED,
                               {{"Rows",
                                 In{f32({batches, size}, x), f32({units, size}, weights),
                                    f32({units}, bias), integer(0)},
                                 Out{f32({batches, units}, y)}}});
            }
        }
    }
}

// The same for stored values: the first rows of eight, which use packed weights, equal their
// separate results.
TEST(FullyConnected, ComputesEachNumberOfQuantizedRows) {
    const auto expectSame = [](auto tensor, auto first, int32_t zeroPoint) {
        using E = decltype(first);
        const auto values = [](uint32_t count, uint32_t step) {
            std::vector<E> all;
            for (uint32_t i = 0; i < count; ++i) all.push_back(static_cast<E>(i * step + i / 7));
            return all;
        };
        for (const uint32_t size : {1u, 15u, 16u, 17u, 33u}) {
            for (const uint32_t units : {1u, 3u, 4u, 5u, 16u, 17u, 35u}) {
                const auto rows = [&](uint32_t batches) {
                    return run(
                            FULLY_CONNECTED,
                            {tensor({batches, size}, values(batches * size, 37), 0.5f, zeroPoint),
                             tensor({units, size}, values(units * size, 91), 0.5f, zeroPoint),
                             scaled(0.25f, i32({units}, std::vector<int32_t>(units, 20))),
                             integer(0)},
                            {tensor({batches, units}, {}, 700, zeroPoint)});
                };
                const Outcome eight = rows(8);
                ASSERT_EQ(eight.error, "");
                for (const uint32_t batches : {1u, 2u, 6u, 7u}) {
                    const Outcome some = rows(batches);
                    ASSERT_EQ(some.error, "");
                    const std::vector<uint8_t>& all = eight.outputs[0].data;
                    EXPECT_EQ(some.outputs[0].data,
                              std::vector<uint8_t>(all.begin(), all.begin() + batches * units))
                            << batches << " x " << size << " to " << units;
                }
            }
        }
    };
    expectSame(q8, uint8_t{}, 128);
    expectSame(qs8, int8_t{}, -128);
}

}  // namespace
}  // namespace nn::ops::fully_connected_test
