#include "ops/tables.h"

namespace nn::ops::conv_2d_test {
namespace {

constexpr auto CONV_2D = OperationType::CONV_2D;

const Arg kAny = f32({});

// Input, filter and bias, followed by implicit padding with strides 1.
std::vector<Arg> implicitly(std::vector<Arg> tensors, int32_t scheme = 2, int32_t activation = 0,
                            std::vector<Arg> trailing = {}) {
    for (const int32_t value : {scheme, 1, 1, activation}) tensors.push_back(integer(value));
    tensors.insert(tensors.end(), trailing.begin(), trailing.end());
    return tensors;
}

// The same with paddings left, right, top, bottom, and strides.
std::vector<Arg> explicitly(std::vector<Arg> tensors, std::vector<int32_t> padding,
                            int32_t strideWidth = 1, int32_t strideHeight = 1,
                            std::vector<Arg> trailing = {}) {
    for (const int32_t value : padding) tensors.push_back(integer(value));
    for (const int32_t value : {strideWidth, strideHeight, 0}) tensors.push_back(integer(value));
    tensors.insert(tensors.end(), trailing.begin(), trailing.end());
    return tensors;
}

const std::vector<Arg> kFloats = {f32({1, 3, 3, 1}), f32({1, 2, 2, 1}), f32({1})};

std::vector<Arg> quantized(float inputScale, float filterScale, float biasScale) {
    return {q8({1, 3, 3, 1}, {}, inputScale, 0), q8({1, 2, 2, 1}, {}, filterScale, 0),
            scaled(biasScale, i32({1}))};
}

TEST(Conv2d, NeedsTheLeastVersion) {
    expectNeeds(CONV_2D, {{"ScaleOfInputAboveProduct", implicitly(quantized(0.5, 0.5, 0.25)),
                           Out{q8({}, {}, 0.25, 0)}, V1_0},
                          {"ScaleOfOutputAboveProduct", implicitly(quantized(0.5, 2, 1)),
                           Out{q8({}, {}, 1.5, 0)}, V1_0},
                          {"NoScaleAboveProduct", implicitly(quantized(0.5, 2, 1)),
                           Out{q8({}, {}, 1, 0)}, V1_2}});
}

TEST(Conv2d, SaysWhyItRefuses) {
    expectFails(check, CONV_2D,
                {{"InputRank", implicitly(with(kFloats, {{0, f32({3, 3, 1})}})),
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [conv_2d.rank]"},
                 {"FilterRank", implicitly(with(kFloats, {{1, f32({2, 2})}})),
                  "input 1 'filter' (operand 1) has rank 2, allowed 4 [conv_2d.rank]"},
                 {"ChannelDim",
                  implicitly({q8({1, 3, 3, 1}, {}, 1, 0), perChannel({1, 2, 2, 1}, {}, {0.5f}, 3),
                              i32({1})}),
                  Out{q8({}, {}, 1, 0)},
                  "input 1 'filter' (operand 1) has scales along dimension 3, allowed 0 "
                  "[conv_2d.channel_dim]"}});
}

TEST(Conv2d, SaysWhyPreparationFails) {
    expectFails(
            infer, CONV_2D,
            {{"Depth", implicitly(with(kFloats, {{1, f32({1, 2, 2, 3})}})),
              "dimension 3 of the filter is 3, allowed 1 as the channels of the input "
              "[conv_2d.depth]"},
             {"BiasRank", implicitly(with(kFloats, {{2, f32({1, 1})}})),
              "input 2 'bias' (operand 2) has rank 2, allowed 1 [conv_2d.bias]"},
             {"BiasLength", implicitly(with(kFloats, {{2, f32({2})}})),
              "input 2 'bias' (operand 2) has 2 elements, allowed 1 as output channels "
              "[conv_2d.bias]"},
             {"BiasScale", implicitly(quantized(0.5, 0.5, 0.5)), Out{q8({}, {}, 1, 0)},
              "input 2 'bias' (operand 2) has scale 0.5, allowed 0.25, the product of the scales "
              "of input 0 'input' (operand 0) and input 1 'filter' (operand 1) [conv_2d.bias]"},
             {"ChannelScales",
              implicitly({q8({1, 3, 3, 1}, {}, 1, 0), perChannel({1, 2, 2, 1}, {}, {1, 1}, 0),
                          i32({1})}),
              Out{q8({}, {}, 1, 0)},
              "input 1 'filter' (operand 1) has 2 scales, allowed 1 [conv_2d.channel_scales]"},
             {"Stride", explicitly(kFloats, {0, 0, 0, 0}, 0),
              "input 7 'strideWidth' (operand 7) is 0, allowed above 0 [conv_2d.stride]"},
             {"Dilation",
              explicitly(kFloats, {0, 0, 0, 0}, 1, 1, {boolean(false), integer(1), integer(-1)}),
              "input 12 'dilationHeight' (operand 12) is -1, allowed above 0 [conv_2d.dilation]"},
             {"PaddingNegative", explicitly(kFloats, {0, -1, 0, 0}),
              "input 4 'paddingRight' (operand 4) is -1, allowed 0 to 1, less than the extent of "
              "the filter [conv_2d.padding]"},
             {"PaddingNegativeUnknownFilter",
              explicitly(with(kFloats, {{1, f32({})}}), {0, -1, 0, 0}),
              "input 4 'paddingRight' (operand 4) is -1, allowed 0 and above [conv_2d.padding]"},
             {"PaddingTooLarge", explicitly(kFloats, {0, 0, 2, 0}),
              "input 5 'paddingTop' (operand 5) is 2, allowed 0 to 1, less than the extent of the "
              "filter [conv_2d.padding]"},
             {"FilterTooLarge", implicitly(with(kFloats, {{1, f32({1, 2, 6, 1})}})),
              "output width is -2, allowed 0 to 4294967295: input 0 'input' (operand 0) has width "
              "3 and padding 0 + 0, the filter extends over 6 with stride 1 [conv_2d.output]"},
             {"Activation", implicitly(kFloats, 1, 4),
              "input 6 'activation' (operand 6) is 4, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or 3 "
              "(RELU6) [conv_2d.activation]"}});
}

TEST(Conv2d, InfersShapesFromWhatIsKnown) {
    expectShapes(
            CONV_2D,
            {{"OtherSchemesAreValid", implicitly(kFloats, 0), Shapes{{1, 2, 2, 1}}},
             {"UnknownInput", implicitly({f32({}), f32({5, 2, 2, 1}), f32({5})}),
              Shapes{{0, 0, 0, 5}}},
             {"UnknownBatchesAndFilter",
              implicitly({f32({0, 3, 3, 1}), f32({5, 0, 2, 1}), f32({5})}), Shapes{{0, 0, 2, 5}}},
             {"FilterOneLongerThanInput",
              implicitly({f32({1, 3, 3, 1}), f32({5, 4, 2, 1}), f32({5})}), Shapes{{1, 0, 2, 5}}}});
}

// One filter of ones over 1 ... 9: sums of 2 x 2 windows.
const Arg kNine = f32({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
const Arg kOnes = f32({1, 2, 2, 1}, {1, 1, 1, 1});
const Arg kZero = f32({1}, {0});

TEST(Conv2d, Computes) {
    const Arg bias = scaled(0.25, i32({1}, {8}));
    expectComputes(
            CONV_2D,
            {{"PaddedTopLeft", explicitly({kNine, kOnes, kZero}, {1, 0, 1, 0}, 2, 2),
              Out{f32({1, 2, 2, 1}, {1, 5, 11, 28})}},
             {"Dilated",
              implicitly({kNine, f32({1, 2, 2, 1}, {1, 2, 3, 4}), kZero}, 2, 0,
                         {boolean(false), integer(2), integer(1)}),
              Out{f32({1, 2, 1, 1}, {1 + 6 + 12 + 24, 4 + 12 + 21 + 36})}},
             {"Relu6", implicitly({kNine, kOnes, f32({1}, {-20})}, 2, 3),
              Out{f32({1, 2, 2, 1}, {0, 0, 4, 6})}},
             {"NchwEqualsNhwc",
              implicitly({f32({1, 2, 1, 2}, {1, 3, 2, 4}), f32({3, 1, 1, 2}, {1, 0, 0, 1, 1, 1}),
                          f32({3}, {0, 0, 10})},
                         2, 0, {boolean(true)}),
              Out{f32({1, 3, 1, 2}, {1, 3, 2, 4, 13, 17})}},
             {"Half",
              implicitly({as(TENSOR_FLOAT16, f16({1, 1, 2, 1}, {1, 2})), f16({1, 1, 2, 1}, {3, 4}),
                          f16({1}, {0.5})}),
              Out{f16({1, 1, 1, 1}, {11.5})}},
             // (1 * 2 + 2 * 3) * 0.5 * 0.5 + 8 * 0.25 = 4
             {"Quantized",
              implicitly({q8({1, 1, 2, 1}, {129, 130}, 0.5, 128), q8({1, 1, 2, 1}, {5, 6}, 0.5, 3),
                          bias}),
              Out{q8({1, 1, 1, 1}, {14}, 1, 10)}},
             {"QuantizedPaddingIsZeroPoint",
              explicitly({q8({1, 1, 2, 1}, {129, 130}, 0.5, 128), q8({1, 1, 2, 1}, {5, 6}, 0.5, 3),
                          bias},
                         {1, 0, 0, 0}),
              Out{q8({1, 1, 2, 1}, {11, 16}, 0.25, 0)}},
             {"QuantizedSaturates",
              implicitly({q8({1, 1, 2, 1}, {255, 255}, 0.5, 0), q8({1, 1, 2, 1}, {255, 0}, 0.5, 0),
                          bias}),
              Out{q8({1, 1, 1, 1}, {255}, 1, 10)}},
             {"PerChannel",
              implicitly({q8({1, 1, 1, 2}, {3, 5}, 0.5, 1),
                          perChannel({2, 1, 1, 2}, {1, -1, 1, -1}, {1, 2}, 0), i32({2}, {0, 4})}),
              Out{q8({1, 1, 1, 2}, {126, 132}, 0.5, 128)}},
             {"Signed",
              implicitly({qs8({1, 1, 1, 2}, {-3, 5}, 0.5, 1),
                          perChannel({2, 1, 1, 2}, {1, 1, -1, 1}, {1, 2}, 0), i32({2}, {0, 4})}),
              Out{qs8({1, 1, 1, 2}, {0, 24}, 0.5, 0)}},
             {"NoBatches", implicitly({f32({0, 3, 3, 1}), kOnes, kZero}), Out{f32({0, 2, 2, 1})}}});
}

TEST(Conv2d, SaysWhyExecutionFails) {
    expectFails(
            run, CONV_2D,
            {{"NoRows", implicitly({f32({1, 0, 3, 1}), kOnes, kZero}),
              "dimension 1 of input 0 'input' (operand 0) is 0, allowed above 0 [conv_2d.size]"}});
}

// Positions times columns, which come in eights, times taps.
TEST(Conv2d, CountsItsSteps) {
    const Arg bias = scaled(0.25, i32({1}, {0}));
    EXPECT_EQ(stepsOf(CONV_2D, implicitly({kNine, kOnes, kZero}), {kAny}), 4u * 8 * 4);
    EXPECT_EQ(stepsOf(CONV_2D,
                      implicitly({q8({1, 3, 3, 1}, std::vector<uint8_t>(9), 0.5, 0),
                                  q8({1, 2, 2, 1}, std::vector<uint8_t>(4), 0.5, 0), bias}),
                      {q8({}, {}, 1, 0)}),
              4u * 8 * 4);
    // The number of products that an instruction adds up does not matter.
    EXPECT_EQ(stepsOf(CONV_2D,
                      implicitly({q8({1, 3, 3, 1}, std::vector<uint8_t>(9), 0.5, 0),
                                  q8({1, 1, 3, 1}, std::vector<uint8_t>(3), 0.5, 0), bias}),
                      {q8({}, {}, 1, 0)}),
              3u * 8 * 3);
}

}  // namespace
}  // namespace nn::ops::conv_2d_test
