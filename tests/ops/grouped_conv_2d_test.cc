#include "ops/tables.h"

namespace nn::ops::grouped_conv_2d_test {
namespace {

constexpr auto GROUPED_CONV_2D = OperationType::GROUPED_CONV_2D;

const Arg kAny = f32({});

// Input, filter and bias, followed by implicit padding, strides 1 and the groups.
std::vector<Arg> implicitly(std::vector<Arg> tensors, int32_t groups, int32_t scheme = 2,
                            int32_t activation = 0, bool isNchw = false) {
    for (const int32_t value : {scheme, 1, 1, groups, activation})
        tensors.push_back(integer(value));
    tensors.push_back(boolean(isNchw));
    return tensors;
}

// The same with paddings left, right, top, bottom, and strides.
std::vector<Arg> explicitly(std::vector<Arg> tensors, int32_t groups, std::vector<int32_t> padding,
                            int32_t strideWidth = 1, int32_t strideHeight = 1) {
    for (const int32_t value : padding) tensors.push_back(integer(value));
    for (const int32_t value : {strideWidth, strideHeight, groups, 0})
        tensors.push_back(integer(value));
    tensors.push_back(boolean(false));
    return tensors;
}

const std::vector<Arg> kFloats = {f32({1, 3, 3, 4}), f32({2, 2, 2, 2}), f32({2})};

std::vector<Arg> perChannelAlong(uint32_t dimension, std::vector<float> scales) {
    return {q8({1, 3, 3, 4}, {}, 1, 0), perChannel({2, 2, 2, 2}, {}, std::move(scales), dimension),
            i32({2})};
}

TEST(GroupedConv2d, NeedsTheLeastVersion) {
    expectNeeds(GROUPED_CONV_2D,
                {{"Half", implicitly({f16({}), f16({}), f16({})}, 2), Out{f16({})}, V1_2},
                 {"Signed", implicitly({qs8({}, {}, 1, 0), qs8({}, {}, 1, 0), i32({})}, 2),
                  Out{qs8({}, {}, 1, 0)}, V1_3}});
}

TEST(GroupedConv2d, SaysWhyItRefuses) {
    expectFails(check, GROUPED_CONV_2D,
                {{"ChannelDim", implicitly(perChannelAlong(3, {1, 1}), 2), Out{q8({}, {}, 1, 0)},
                  "input 1 'filter' (operand 1) has scales along dimension 3, allowed 0 "
                  "[grouped_conv_2d.channel_dim]"}});
}

TEST(GroupedConv2d, SaysWhyPreparationFails) {
    expectFails(
            infer, GROUPED_CONV_2D,
            {{"InputRank", implicitly(with(kFloats, {{0, f32({3, 4})}}), 2),
              "input 0 'input' (operand 0) has rank 2, allowed 4 [grouped_conv_2d.input]"},
             {"FilterRank", implicitly(with(kFloats, {{1, f32({2, 2})}}), 2),
              "input 1 'filter' (operand 1) has rank 2, allowed 4 [grouped_conv_2d.filter]"},
             {"NoGroups", implicitly(kFloats, 0),
              "input 6 'groups' (operand 6) is 0, allowed above 0 [grouped_conv_2d.groups]"},
             {"GroupsOfOutputs", implicitly(kFloats, 3),
              "input 6 'groups' (operand 6) is 3, allowed divisors of 2, the output channels "
              "[grouped_conv_2d.groups]"},
             {"GroupsOfInputs", implicitly(kFloats, 1),
              "the input has 4 channels, allowed 2 * 1, dimension 3 of input 1 'filter' (operand "
              "1) * groups [grouped_conv_2d.depth]"},
             {"Bias", implicitly(with(kFloats, {{2, f32({3})}}), 2),
              "input 2 'bias' (operand 2) has 3 elements, allowed 2 as output channels "
              "[grouped_conv_2d.bias]"},
             {"ChannelScales", implicitly(perChannelAlong(0, {1}), 2), Out{q8({}, {}, 1, 0)},
              "input 1 'filter' (operand 1) has 1 scale, allowed 2 "
              "[grouped_conv_2d.channel_scales]"},
             {"Stride", explicitly(kFloats, 2, {0, 0, 0, 0}, 0),
              "input 7 'strideWidth' (operand 7) is 0, allowed above 0 [grouped_conv_2d.stride]"},
             {"Padding", explicitly(kFloats, 2, {0, 0, -1, 0}),
              "input 5 'paddingTop' (operand 5) is -1, allowed 0 to 1, less than the extent of the "
              "filter [grouped_conv_2d.padding]"},
             {"FilterTooLarge", implicitly(with(kFloats, {{1, f32({2, 2, 5, 2})}}), 2),
              "output width is -1, allowed 0 to 4294967295: input 0 'input' (operand 0) has width "
              "3 and padding 0 + 0, the filter extends over 5 with stride 1 "
              "[grouped_conv_2d.output]"},
             {"Activation", implicitly(kFloats, 2, 1, 9),
              "input 7 'activation' (operand 7) is 9, allowed 0 (NONE), 1 (RELU), 2 (RELU1) or 3 "
              "(RELU6) [grouped_conv_2d.activation]"}});
}

TEST(GroupedConv2d, InfersShapesFromWhatIsKnown) {
    expectShapes(GROUPED_CONV_2D, {{"UnknownInput", implicitly(with(kFloats, {{0, f32({})}}), 2),
                                    Shapes{{0, 0, 0, 2}}}});
}

TEST(GroupedConv2d, Computes) {
    // Two groups of two input channels and one output channel.
    const Arg filter = f32({2, 1, 1, 2}, {1, 10, 1, -1});
    expectComputes(
            GROUPED_CONV_2D,
            {{"Pointwise",
              implicitly({f32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 9}), filter, f32({2}, {0, 0.5})},
                         2),
              Out{f32({1, 1, 2, 2}, {21, -0.5, 65, -1.5})}},
             {"NchwEqualsNhwc",
              implicitly({f32({1, 4, 1, 2}, {1, 5, 2, 6, 3, 7, 4, 9}), filter, f32({2}, {0, 0.5})},
                         2, 2, 1, true),
              Out{f32({1, 2, 1, 2}, {21, 65, 0, 0})}},
             {"Windows",
              explicitly({f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({2, 1, 2, 1}, {1, 10, 100, 1000}),
                          f32({2}, {0, 0})},
                         2, {1, 0, 0, 0}),
              Out{f32({1, 1, 2, 2}, {10, 2000, 31, 4200})}},
             {"Half",
              implicitly({f16({1, 1, 1, 2}, {1, 2}), f16({2, 1, 1, 1}, {3, 4}), f16({2}, {0, 0})},
                         2),
              Out{f16({1, 1, 1, 2}, {3, 8})}},
             {"PerChannel",
              implicitly({q8({1, 1, 1, 2}, {3, 5}, 0.5, 1),
                          perChannel({2, 1, 1, 1}, {1, -1}, {1, 2}, 0), i32({2}, {0, 4})},
                         2),
              Out{q8({1, 1, 1, 2}, {130, 128}, 0.5, 128)}},
             {"Signed",
              implicitly({qs8({1, 1, 1, 2}, {-3, 5}, 0.5, 1),
                          perChannel({2, 1, 1, 1}, {1, -1}, {1, 2}, 0), i32({2}, {0, 4})},
                         2),
              Out{qs8({1, 1, 1, 2}, {-4, 0}, 0.5, 0)}}});
}

// Each group has its own columns, which are processed in eights.
TEST(GroupedConv2d, CountsItsSteps) {
    EXPECT_EQ(stepsOf(GROUPED_CONV_2D,
                      implicitly({f32({1, 1, 2, 4}, std::vector<float>(8)),
                                  f32({2, 1, 1, 2}, {1, 10, 1, -1}), f32({2}, {0, 0})},
                                 2),
                      {kAny}),
              2u * (2 * 8 * 2));
}

}  // namespace
}  // namespace nn::ops::grouped_conv_2d_test
