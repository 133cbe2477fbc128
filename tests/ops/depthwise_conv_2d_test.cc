#include "ops/tables.h"

namespace nn::ops::depthwise_conv_2d_test {
namespace {

constexpr auto DEPTHWISE_CONV_2D = OperationType::DEPTHWISE_CONV_2D;

const Arg kAny = f32({});

// Input, filter and bias, followed by implicit padding, strides 1 and the depth multiplier.
std::vector<Arg> implicitly(std::vector<Arg> tensors, int32_t multiplier, int32_t scheme = 2,
                            int32_t activation = 0, std::vector<Arg> trailing = {}) {
    for (const int32_t value : {scheme, 1, 1, multiplier, activation})
        tensors.push_back(integer(value));
    tensors.insert(tensors.end(), trailing.begin(), trailing.end());
    return tensors;
}

// The same with paddings left, right, top, bottom, and strides.
std::vector<Arg> explicitly(std::vector<Arg> tensors, int32_t multiplier,
                            std::vector<int32_t> padding, int32_t strideWidth = 1,
                            int32_t strideHeight = 1, std::vector<Arg> trailing = {}) {
    for (const int32_t value : padding) tensors.push_back(integer(value));
    for (const int32_t value : {strideWidth, strideHeight, multiplier, 0})
        tensors.push_back(integer(value));
    tensors.insert(tensors.end(), trailing.begin(), trailing.end());
    return tensors;
}

const std::vector<Arg> kFloats = {f32({1, 3, 3, 2}), f32({1, 2, 2, 4}), f32({4})};

std::vector<Arg> quantized(float inputScale, float filterScale, float biasScale) {
    return {q8({1, 3, 3, 2}, {}, inputScale, 0), q8({1, 2, 2, 4}, {}, filterScale, 0),
            scaled(biasScale, i32({4}))};
}

std::vector<Arg> perChannelAlong(uint32_t dimension, std::vector<float> scales) {
    return {q8({1, 3, 3, 2}, {}, 1, 0), perChannel({1, 2, 2, 4}, {}, std::move(scales), dimension),
            i32({4})};
}

TEST(DepthwiseConv2d, NeedsTheLeastVersion) {
    expectNeeds(
            DEPTHWISE_CONV_2D,
            {{"AnyRank", implicitly(with(kFloats, {{0, f32({3, 2})}}), 2), V1_0},
             {"Half", implicitly({f16({}), f16({}), f16({})}, 2), Out{f16({})}, V1_2},
             {"NoScaleAboveProduct", implicitly(quantized(0.5, 2, 1), 2), Out{q8({}, {}, 1, 0)},
              V1_2},
             {"Signed",
              implicitly({qs8({}, {}, 1, 0), perChannel({1, 2, 2, 1}, {}, {1}, 3), i32({1})}, 1),
              Out{qs8({}, {}, 1, 0)}, V1_3}});
}

TEST(DepthwiseConv2d, SaysWhyItRefuses) {
    expectFails(check, DEPTHWISE_CONV_2D,
                {{"ChannelDim", implicitly(perChannelAlong(0, {1}), 2), Out{q8({}, {}, 1, 0)},
                  "input 1 'filter' (operand 1) has scales along dimension 0, allowed 3 "
                  "[depthwise_conv_2d.channel_dim]"}});
}

TEST(DepthwiseConv2d, SaysWhyPreparationFails) {
    expectFails(
            infer, DEPTHWISE_CONV_2D,
            {{"InputRank", implicitly(with(kFloats, {{0, f32({3, 2})}}), 2),
              "input 0 'input' (operand 0) has rank 2, allowed 4 [depthwise_conv_2d.input]"},
             {"FilterRank", implicitly(with(kFloats, {{1, f32({2, 2, 4})}}), 2),
              "input 1 'filter' (operand 1) has rank 3, allowed 4 [depthwise_conv_2d.filter]"},
             {"FilterDimension", implicitly(with(kFloats, {{1, f32({2, 2, 2, 4})}}), 2),
              "dimension 0 of input 1 'filter' (operand 1) is 2, allowed 1 "
              "[depthwise_conv_2d.filter]"},
             {"Depth", implicitly(kFloats, 3),
              "dimension 3 of input 1 'filter' (operand 1) is 4, allowed 2 * 3, input channels * "
              "multiplier [depthwise_conv_2d.depth]"},
             {"Multiplier", implicitly(kFloats, 0),
              "input 6 'depthMultiplier' (operand 6) is 0, allowed above 0 "
              "[depthwise_conv_2d.multiplier]"},
             {"BiasLength", implicitly(with(kFloats, {{2, f32({2})}}), 2),
              "input 2 'bias' (operand 2) has 2 elements, allowed 4 as output channels "
              "[depthwise_conv_2d.bias]"},
             {"ChannelScales", implicitly(perChannelAlong(3, {1, 1}), 2), Out{q8({}, {}, 1, 0)},
              "input 1 'filter' (operand 1) has 2 scales, allowed 4 "
              "[depthwise_conv_2d.channel_scales]"},
             {"Stride", explicitly(kFloats, 2, {0, 0, 0, 0}, 1, 0),
              "input 8 'strideHeight' (operand 8) is 0, allowed above 0 "
              "[depthwise_conv_2d.stride]"},
             {"Dilation", implicitly(kFloats, 2, 1, 0, {boolean(false), integer(0), integer(1)}),
              "input 9 'dilationWidth' (operand 9) is 0, allowed above 0 "
              "[depthwise_conv_2d.dilation]"},
             {"Padding", explicitly(kFloats, 2, {0, 0, 0, 2}),
              "input 6 'paddingBottom' (operand 6) is 2, allowed 0 to 1, less than the extent of "
              "the filter [depthwise_conv_2d.padding]"},
             {"FilterTooLarge", implicitly(with(kFloats, {{1, f32({1, 5, 1, 4})}}), 2),
              "output height is -1, allowed 0 to 4294967295: input 0 'input' (operand 0) has "
              "height 3 and padding 0 + 0, the filter extends over 5 with stride 1 "
              "[depthwise_conv_2d.output]"},
             {"Activation", implicitly(kFloats, 2, 1, -1),
              "input 7 'activation' (operand 7) is -1, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or 3 "
              "(RELU6) [depthwise_conv_2d.activation]"}});
}

TEST(DepthwiseConv2d, InfersShapesFromWhatIsKnown) {
    expectShapes(DEPTHWISE_CONV_2D, {{"UnknownInput", implicitly(with(kFloats, {{0, f32({})}}), 2),
                                      Shapes{{0, 0, 0, 4}}}});
}

TEST(DepthwiseConv2d, Computes) {
    // Two pixels of two channels, and a filter over both with a multiplier of 2.
    const Arg x = f32({1, 1, 2, 2}, {1, 2, 3, 4});
    const Arg filter = f32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    const Arg bias = f32({4}, {0, 0, 0, 100});
    const Arg stored = scaled(0.25, i32({1}, {8}));
    expectComputes(
            DEPTHWISE_CONV_2D,
            {{"OutputChannelIsInputChannelTimesMultiplier", implicitly({x, filter, bias}, 2),
              Out{f32({1, 1, 1, 4}, {1 + 15, 2 + 18, 6 + 28, 8 + 32 + 100})}},
             {"SamePadsTheEnd", implicitly({x, filter, bias}, 2, 1),
              Out{f32({1, 1, 2, 4}, {16, 20, 34, 140, 3, 6, 12, 116})}},
             {"Relu1", implicitly({x, filter, bias}, 2, 2, 2),
              Out{f32({1, 1, 1, 4}, {1, 1, 1, 1})}},
             {"NchwEqualsNhwc",
              implicitly({f32({1, 2, 1, 2}, {1, 3, 2, 4}), filter, bias}, 2, 2, 0, {boolean(true)}),
              Out{f32({1, 4, 1, 1}, {16, 20, 34, 140})}},
             {"DilatedAndStrided",
              explicitly({f32({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                          f32({1, 2, 2, 1}, {1, 10, 100, 1000}), f32({1}, {0})},
                         1, {1, 0, 0, 0}, 2, 1, {boolean(false), integer(2), integer(1)}),
              Out{f32({1, 2, 1, 1}, {20 + 5000, 50 + 8000})}},
             // In float32 the 1 would be lost.
             {"LargeTermsThatCancel",
              implicitly({f32({1, 1, 3, 1}, {0x1p24f, 1, -0x1p24f}), f32({1, 1, 3, 1}, {1, 1, 1}),
                          f32({1}, {0})},
                         1),
              Out{f32({1, 1, 1, 1}, {1})}},
             {"Half",
              implicitly({f16({1, 1, 1, 1}, {2}), f16({1, 1, 1, 2}, {3, 4}), f16({2}, {0, 1})}, 2),
              Out{f16({1, 1, 1, 2}, {6, 9})}},
             // (1 * 2 + 2 * 3) * 0.5 * 0.5 + 8 * 0.25 = 4
             {"Quantized",
              implicitly({q8({1, 1, 2, 1}, {129, 130}, 0.5, 128), q8({1, 1, 2, 1}, {5, 6}, 0.5, 3),
                          stored},
                         1),
              Out{q8({1, 1, 1, 1}, {14}, 1, 10)}},
             // 1 channel after the other: 0.5 and 1.5, 1 and 2, times 0.5 and 1, plus 0 and 2
             {"QuantizedNchw",
              implicitly({q8({1, 2, 1, 2}, {129, 131, 130, 132}, 0.5, 128),
                          q8({1, 1, 1, 2}, {4, 5}, 0.5, 3), scaled(0.25, i32({2}, {0, 8}))},
                         1, 2, 0, {boolean(true)}),
              Out{q8({1, 2, 1, 2}, {11, 13, 22, 26}, 0.25, 10)}},
             {"PerChannel",
              implicitly({q8({1, 1, 1, 1}, {3}, 0.5, 1),
                          perChannel({1, 1, 1, 2}, {1, -1}, {1, 2}, 3), i32({2}, {0, 4})},
                         2),
              Out{q8({1, 1, 1, 2}, {130, 132}, 0.5, 128)}},
             {"Signed",
              implicitly({qs8({1, 1, 1, 1}, {-3}, 0.5, 1),
                          perChannel({1, 1, 1, 2}, {1, -1}, {1, 2}, 3), i32({2}, {0, 4})},
                         2),
              Out{qs8({1, 1, 1, 2}, {-4, 16}, 0.5, 0)}},
             {"NoBatches", implicitly({f32({0, 1, 2, 2}), filter, bias}, 2),
              Out{f32({0, 1, 1, 4})}}});
}

// Only taps inside the image count.
TEST(DepthwiseConv2d, CountsItsSteps) {
    const std::vector<Arg> tensors = {f32({1, 1, 2, 2}, {1, 2, 3, 4}),
                                      f32({1, 1, 2, 4}, std::vector<float>(8)),
                                      f32({4}, {0, 0, 0, 0})};
    EXPECT_EQ(stepsOf(DEPTHWISE_CONV_2D, implicitly(tensors, 2, 1), {kAny}), (2u + 1) * 4);
}

}  // namespace
}  // namespace nn::ops::depthwise_conv_2d_test
