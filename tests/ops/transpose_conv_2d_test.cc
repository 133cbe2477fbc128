#include "ops/tables.h"

namespace nn::ops::transpose_conv_2d_test {
namespace {

constexpr auto TRANSPOSE_CONV_2D = OperationType::TRANSPOSE_CONV_2D;

const Arg kAny = f32({});

// Input, filter and bias, followed by the output shape, a scheme and one stride for both axes.
std::vector<Arg> implicitly(std::vector<Arg> tensors, std::vector<int32_t> shape, int32_t stride,
                            int32_t scheme = 1, int32_t activation = 0, bool isNchw = false) {
    tensors.push_back(i32({static_cast<uint32_t>(shape.size())}, shape));
    for (const int32_t value : {scheme, stride, stride, activation})
        tensors.push_back(integer(value));
    tensors.push_back(boolean(isNchw));
    return tensors;
}

// The same with paddings left, right, top, bottom, and strides.
std::vector<Arg> explicitly(std::vector<Arg> tensors, std::vector<int32_t> padding,
                            int32_t strideWidth = 1, int32_t strideHeight = 1) {
    for (const int32_t value : padding) tensors.push_back(integer(value));
    for (const int32_t value : {strideWidth, strideHeight, 0}) tensors.push_back(integer(value));
    tensors.push_back(boolean(false));
    return tensors;
}

const std::vector<Arg> kFloats = {f32({1, 2, 2, 1}), f32({3, 3, 3, 1}), f32({3})};

std::vector<Arg> perChannelAlong(uint32_t dimension, std::vector<float> scales) {
    return {q8({1, 2, 2, 1}, {}, 1, 0), perChannel({3, 3, 3, 1}, {}, std::move(scales), dimension),
            i32({3})};
}

TEST(TransposeConv2d, NeedsTheLeastVersion) {
    expectNeeds(
            TRANSPOSE_CONV_2D,
            {{"Half", explicitly({f16({}), f16({}), f16({})}, {0, 0, 0, 0}), Out{f16({})}, V1_2},
             {"Signed", explicitly({qs8({}, {}, 1, 0), qs8({}, {}, 1, 0), i32({})}, {0, 0, 0, 0}),
              Out{qs8({}, {}, 1, 0)}, V1_3}});
}

TEST(TransposeConv2d, SaysWhyItRefuses) {
    expectFails(check, TRANSPOSE_CONV_2D,
                {{"ChannelDim", explicitly(perChannelAlong(3, {1}), {0, 0, 0, 0}),
                  Out{q8({}, {}, 1, 0)},
                  "input 1 'filter' (operand 1) has scales along dimension 3, allowed 0 "
                  "[transpose_conv_2d.channel_dim]"}});
}

TEST(TransposeConv2d, SaysWhyPreparationFails) {
    expectFails(
            infer, TRANSPOSE_CONV_2D,
            {{"InputRank", explicitly(with(kFloats, {{0, f32({3, 4})}}), {0, 0, 0, 0}),
              "input 0 'input' (operand 0) has rank 2, allowed 4 [transpose_conv_2d.input]"},
             {"FilterRank", explicitly(with(kFloats, {{1, f32({3, 3})}}), {0, 0, 0, 0}),
              "input 1 'filter' (operand 1) has rank 2, allowed 4 [transpose_conv_2d.filter]"},
             {"Depth", explicitly(with(kFloats, {{1, f32({3, 3, 3, 2})}}), {0, 0, 0, 0}),
              "dimension 3 of the filter is 2, allowed 1 as the channels of the input "
              "[transpose_conv_2d.depth]"},
             {"Bias", explicitly(with(kFloats, {{2, f32({1})}}), {0, 0, 0, 0}),
              "input 2 'bias' (operand 2) has 1 element, allowed 3 as output channels "
              "[transpose_conv_2d.bias]"},
             {"ChannelScales", explicitly(perChannelAlong(0, {1}), {0, 0, 0, 0}),
              Out{q8({}, {}, 1, 0)},
              "input 1 'filter' (operand 1) has 1 scale, allowed 3 "
              "[transpose_conv_2d.channel_scales]"},
             {"Stride", explicitly(kFloats, {0, 0, 0, 0}, 1, 0),
              "input 8 'strideHeight' (operand 8) is 0, allowed above 0 "
              "[transpose_conv_2d.stride]"},
             {"StrideBeforeScheme", implicitly(kFloats, {1, 4, 4, 3}, 0),
              "input 6 'strideHeight' (operand 6) is 0, allowed above 0 "
              "[transpose_conv_2d.stride]"},
             {"HeadNegative", explicitly(kFloats, {-1, 0, 0, 0}),
              "input 3 'paddingLeft' (operand 3) is -1, allowed 0 and above "
              "[transpose_conv_2d.padding]"},
             {"ShapeLength", implicitly(kFloats, {1, 4, 4}, 2),
              "input 3 'outputShape' (operand 3) has 3 elements, allowed 4 "
              "[transpose_conv_2d.output_shape]"},
             {"ShapeValue", implicitly(kFloats, {1, -4, 4, 3}, 2),
              "the height in input 3 'outputShape' (operand 3) is -4, allowed above 0 "
              "[transpose_conv_2d.output_shape]"},
             {"PaddingCutsAll", explicitly(kFloats, {2, 2, 0, 0}),
              "output width is 0, allowed 1 to 4294967295: input 0 'input' (operand 0) has width "
              "2, the filter extends over 3 with stride 1 and padding 2 + 2 "
              "[transpose_conv_2d.output]"},
             {"Activation", implicitly(kFloats, {1, 4, 4, 3}, 2, 1, 4),
              "input 7 'activation' (operand 7) is 4, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or 3 "
              "(RELU6) [transpose_conv_2d.activation]"}});
}

TEST(TransposeConv2d, InfersShapesFromWhatIsKnown) {
    std::vector<Arg> unknownShape = implicitly(kFloats, {1, 4, 4, 3}, 2);
    unknownShape[3].data.clear();
    expectShapes(TRANSPOSE_CONV_2D,
                 {{"OtherSchemesIgnoreTheShape", implicitly(kFloats, {9, 6, 6, 9}, 2, 2),
                   Shapes{{1, 5, 5, 3}}},
                  {"TailMayAdd", explicitly(kFloats, {0, -2, 0, 0}, 1, 1), Shapes{{1, 4, 6, 3}}},
                  {"UnknownShape", unknownShape, Shapes{{1, 0, 0, 3}}}});
}

TEST(TransposeConv2d, Computes) {
    const Arg line = f32({1, 1, 2, 1}, {1, 2});
    const Arg filter = f32({1, 1, 3, 1}, {1, 10, 100});
    const Arg bias = f32({1}, {0.5});
    const Arg stored = scaled(0.25, i32({1}, {8}));
    expectComputes(TRANSPOSE_CONV_2D,
                   {{"WindowsAdd", explicitly({line, filter, bias}, {0, 0, 0, 0}),
                     Out{f32({1, 1, 4, 1}, {1.5, 12.5, 120.5, 200.5})}},
                    {"Stride", explicitly({line, filter, bias}, {0, 0, 0, 0}, 2),
                     Out{f32({1, 1, 5, 1}, {1.5, 10.5, 102.5, 20.5, 200.5})}},
                    {"PaddingCuts", explicitly({line, filter, bias}, {1, 1, 0, 0}, 2),
                     Out{f32({1, 1, 3, 1}, {10.5, 102.5, 20.5})}},
                    {"NegativeTailIsBias", explicitly({line, filter, bias}, {0, -1, 0, 0}),
                     Out{f32({1, 1, 5, 1}, {1.5, 12.5, 120.5, 200.5, 0.5})}},
                    {"SameCutsTheHead", implicitly({line, filter, bias}, {1, 1, 2, 1}, 1),
                     Out{f32({1, 1, 2, 1}, {12.5, 120.5})}},
                    {"Channels",
                     explicitly({f32({1, 1, 1, 2}, {1, 2}),
                                 f32({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({2}, {0, 100})},
                                {0, 0, 0, 0}),
                     Out{f32({1, 1, 2, 2}, {5, 117, 11, 123})}},
                    {"NchwEqualsNhwc",
                     implicitly({f32({1, 2, 1, 1}, {1, 2}),
                                 f32({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({2}, {0, 100})},
                                {1, 2, 1, 2}, 2, 1, 3, true),
                     Out{f32({1, 2, 1, 2}, {5, 6, 6, 6})}},
                    {"Half",
                     explicitly({f16({1, 1, 1, 1}, {2}), f16({1, 1, 2, 1}, {3, 4}), f16({1}, {1})},
                                {0, 0, 0, 0}),
                     Out{f16({1, 1, 2, 1}, {7, 9})}},
                    // 2 * 3 * 0.25 + 2 = 3.5 and 2 * -1 * 0.25 + 2 = 1.5
                    {"Quantized",
                     explicitly({q8({1, 1, 1, 1}, {130}, 0.5, 128),
                                 q8({1, 1, 2, 1}, {6, 2}, 0.5, 3), stored},
                                {0, 0, 0, 0}),
                     Out{q8({1, 1, 2, 1}, {17, 13}, 0.5, 10)}},
                    {"PerChannelSigned",
                     explicitly({qs8({1, 1, 1, 1}, {-3}, 0.5, 1),
                                 perChannel({2, 1, 1, 1}, {1, -1}, {1, 2}, 0), i32({2}, {0, 4})},
                                {0, 0, 0, 0}),
                     Out{qs8({1, 1, 1, 2}, {-4, 16}, 0.5, 0)}},
                    {"NoBatches", explicitly({f32({0, 1, 2, 1}), filter, bias}, {0, 0, 0, 0}),
                     Out{f32({0, 1, 4, 1})}}});
}

// Input pixels times taps and output channels, which are processed together in eights, times input
// channels.
TEST(TransposeConv2d, CountsItsSteps) {
    const std::vector<Arg> tensors = {f32({2, 1, 2, 1}, {1, 2, 3, 4}),
                                      f32({1, 1, 3, 1}, {1, 10, 100}), f32({1}, {0})};
    EXPECT_EQ(stepsOf(TRANSPOSE_CONV_2D, explicitly(tensors, {0, 0, 0, 0}), {kAny}),
              2u * (2 * 8 * 1));
}

}  // namespace
}  // namespace nn::ops::transpose_conv_2d_test
