#include "ops/tables.h"

namespace nn::ops::pool_2d_test {
namespace {

constexpr auto AVERAGE_POOL_2D = OperationType::AVERAGE_POOL_2D;
constexpr auto MAX_POOL_2D = OperationType::MAX_POOL_2D;
constexpr auto L2_POOL_2D = OperationType::L2_POOL_2D;

const Arg kAny = f32({});

// Input, scheme, strides 1, filter width and height, activation.
std::vector<Arg> implicitly(Arg input, int32_t scheme, int32_t width, int32_t height,
                            int32_t activation = 0, std::vector<Arg> trailing = {}) {
    std::vector<Arg> inputs = {std::move(input)};
    for (const int32_t value : {scheme, 1, 1, width, height, activation})
        inputs.push_back(integer(value));
    inputs.insert(inputs.end(), trailing.begin(), trailing.end());
    return inputs;
}

// Input, paddings left, right, top, bottom, stride width and height, filter width and height.
std::vector<Arg> explicitly(Arg input, std::vector<int32_t> parameters) {
    std::vector<Arg> inputs = {std::move(input)};
    for (const int32_t value : parameters) inputs.push_back(integer(value));
    inputs.push_back(integer(0));
    return inputs;
}

const Arg kImage = f32({1, 3, 3, 1});

TEST(Pool2d, NeedsTheLeastVersion) {
    expectNeeds(AVERAGE_POOL_2D, {{"UnknownRank", implicitly(qs8({}, {}, 1, 0), 1, 2, 2),
                                   Out{qs8({}, {}, 1, 0)}, V1_3}});
    expectNeeds(MAX_POOL_2D, {{"UnknownRank", implicitly(q8({}, {}, 1, 0), 1, 2, 2),
                               Out{q8({}, {}, 1, 0)}, V1_0}});
    expectNeeds(L2_POOL_2D, {{"UnknownRank", implicitly(f16({}), 1, 2, 2), Out{f16({})}, V1_2}});
}

TEST(Pool2d, SaysWhyPreparationFails) {
    expectFails(infer, AVERAGE_POOL_2D,
                {{"Rank", implicitly(f32({3, 3}), 1, 2, 2),
                  "input 0 'input' (operand 0) has rank 2, allowed 4 [pool_2d.input]"},
                 {"Quantization", implicitly(q8({}, {}, 1, 0), 1, 2, 2), Out{q8({}, {}, 1, 1)},
                  "output 0 'output' (operand 7) has scale 1 and zeroPoint 1, allowed 1 and 0 as "
                  "input 0 'input' (operand 0) [pool_2d.quantization]"}});
    expectFails(infer, L2_POOL_2D,
                {{"Filter", implicitly(kImage, 1, 2, 0),
                  "input 5 'filterHeight' (operand 5) is 0, allowed above 0 [pool_2d.filter]"}});
    expectFails(
            infer, MAX_POOL_2D,
            {{"Stride", explicitly(kImage, {0, 0, 0, 0, -1, 1, 2, 2}),
              "input 5 'strideWidth' (operand 5) is -1, allowed above 0 [pool_2d.stride]"},
             {"Padding", explicitly(kImage, {2, 0, 0, 0, 1, 1, 2, 2}),
              "input 1 'paddingLeft' (operand 1) is 2, allowed 0 to 1, less than the extent of the "
              "filter [pool_2d.padding]"},
             {"FilterTooLarge", implicitly(kImage, 2, 5, 2),
              "output width is -1, allowed 0 to 4294967295: input 0 'input' (operand 0) has width "
              "3 and padding 0 + 0, the filter extends over 5 with stride 1 [pool_2d.output]"},
             {"Activation", implicitly(kImage, 1, 2, 2, 4),
              "input 6 'activation' (operand 6) is 4, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or 3 "
              "(RELU6) [pool_2d.activation]"}});
}

TEST(Pool2d, InfersShapesFromWhatIsKnown) {
    expectShapes(MAX_POOL_2D,
                 {{"UnknownWidth", implicitly(f32({0, 5, 0, 3}), 2, 3, 2), Shapes{{0, 4, 0, 3}}},
                  {"UnknownRank", implicitly(f32({}), 2, 3, 2), Shapes{{0, 0, 0, 0}}}});
}

TEST(Pool2d, Computes) {
    const Arg image = f32({1, 2, 3, 1}, {1, -2, 3, 4, 5, -6});
    const Arg channels = f32({1, 1, 2, 2}, {1, 10, 3, -20});
    expectComputes(
            AVERAGE_POOL_2D,
            {{"Float", implicitly(image, 2, 2, 2), Out{f32({1, 1, 2, 1}, {2, 0})}},
             {"CountsOnlyWhatIsInside", implicitly(image, 1, 2, 2),
              Out{f32({1, 2, 3, 1}, {2, 0, -1.5, 4.5, -0.5, -6})}},
             {"Relu", implicitly(image, 1, 2, 2, 1), Out{f32({1, 2, 3, 1}, {2, 0, 0, 4.5, 0, 0})}},
             {"Channels", implicitly(channels, 2, 2, 1), Out{f32({1, 1, 1, 2}, {2, -5})}},
             {"Nchw", implicitly(f32({1, 2, 1, 2}, {1, 3, 10, -20}), 2, 2, 1, 0, {boolean(true)}),
              Out{f32({1, 2, 1, 1}, {2, -5})}},
             {"PaddedTopLeft", explicitly(image, {1, 0, 1, 0, 2, 2, 2, 2}),
              Out{f32({1, 1, 2, 1}, {1, 0.5})}},
             {"KeepsSmallTermsOfALongSum",
              implicitly(f32({1, 1, 5, 1}, {16777216, 1, 1, 1, 1}), 2, 5, 1),
              Out{f32({1, 1, 1, 1}, {3355444})}},
             {"RoundsHalvesUp", implicitly(q8({1, 1, 2, 1}, {2, 3}, 0.5, 128), 2, 2, 1),
              Out{q8({1, 1, 1, 1}, {3}, 0.5, 128)}},
             {"RoundsHalvesAwayFromZero",
              implicitly(qs8({1, 1, 3, 1}, {-1, 0, 1}, 0.5, 3), 2, 2, 1),
              Out{qs8({1, 1, 2, 1}, {-1, 1}, 0.5, 3)}},
             {"Relu6Quantized", implicitly(q8({1, 1, 2, 1}, {0, 255}, 0.5, 100), 2, 1, 1, 3),
              Out{q8({1, 1, 2, 1}, {100, 112}, 0.5, 100)}}});
    expectComputes(
            MAX_POOL_2D,
            {{"Float", implicitly(image, 2, 2, 2), Out{f32({1, 1, 2, 1}, {5, 5})}},
             {"Negatives", implicitly(f32({1, 1, 2, 1}, {-3, -2}), 1, 2, 1),
              Out{f32({1, 1, 2, 1}, {-2, -2})}},
             {"Quantized", implicitly(q8({1, 1, 2, 1}, {7, 200}, 0.5, 9), 1, 2, 1),
              Out{q8({1, 1, 2, 1}, {200, 200}, 0.5, 9)}},
             {"Signed", implicitly(qs8({1, 1, 2, 1}, {-7, -100}, 0.5, 9), 1, 2, 1),
              Out{qs8({1, 1, 2, 1}, {-7, -100}, 0.5, 9)}},
             {"Half", implicitly(f16({1, 1, 2, 1}, {-7, 2}), 2, 2, 1), Out{f16({1, 1, 1, 1}, {2})}},
             {"NoBatches", implicitly(f32({0, 2, 2, 1}), 2, 2, 1), Out{f32({0, 2, 1, 1})}},
             {"FilterOneLongerThanInput", implicitly(image, 2, 4, 1), Out{f32({1, 2, 0, 1})}}});
    expectComputes(L2_POOL_2D, {{"Float", implicitly(f32({1, 1, 2, 1}, {1, 7}), 1, 2, 1),
                                 Out{f32({1, 1, 2, 1}, {5, 7})}}});
}

// 9 million elements, more than random models have. Halves are rounded away from zero.
TEST(Pool2d, AveragesMoreThan32BitsHold) {
    const auto alternately = []<class E>(E even, E odd) {
        std::vector<E> values(size_t{3000} * 3000);
        for (size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? even : odd;
        return values;
    };
    expectComputes(
            AVERAGE_POOL_2D,
            {{"Unsigned",
              implicitly(q8({1, 3000, 3000, 1}, alternately(uint8_t{254}, uint8_t{255}), 0.5, 0), 2,
                         3000, 3000),
              Out{q8({1, 1, 1, 1}, {255}, 0.5, 0)}},
             {"Signed",
              implicitly(qs8({1, 3000, 3000, 1}, alternately(int8_t{-127}, int8_t{-128}), 0.5, 0),
                         2, 3000, 3000),
              Out{qs8({1, 1, 1, 1}, {-128}, 0.5, 0)}}});
}

TEST(Pool2d, SaysWhyExecutionFails) {
    expectFails(
            run, MAX_POOL_2D,
            {{"NoChannels", implicitly(f32({1, 3, 3, 0}), 1, 2, 2),
              "dimension 3 of input 0 'input' (operand 0) is 0, allowed above 0 [pool_2d.input]"}});
}

// Only elements inside the image count.
TEST(Pool2d, CountsItsSteps) {
    const Arg image = f32({1, 2, 3, 1}, {1, -2, 3, 4, 5, -6});
    for (const OperationType type : {AVERAGE_POOL_2D, L2_POOL_2D, MAX_POOL_2D}) {
        EXPECT_EQ(stepsOf(type, implicitly(image, 1, 2, 2), {kAny}), (2u + 2 + 1) * (2 + 1));
    }
    const Arg stored = q8({1, 2, 3, 1}, {1, 2, 3, 4, 5, 6}, 1, 0);
    for (const OperationType type : {AVERAGE_POOL_2D, MAX_POOL_2D}) {
        EXPECT_EQ(stepsOf(type, implicitly(stored, 2, 2, 2), {q8({}, {}, 1, 0)}), 2u * 4);
    }
}

}  // namespace
}  // namespace nn::ops::pool_2d_test
