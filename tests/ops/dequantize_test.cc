#include "ops/op_test.h"

namespace nn::ops::dequantize_test {
namespace {

constexpr auto DEQUANTIZE = OperationType::DEQUANTIZE;

struct Case {
    const char* name;
    Arg input;
    Arg output;
};

struct Legal {
    Case of;
    Version needed;
};

TEST(Dequantize, NeedsTheLeastVersion) {
    const Arg q = q8({2}, {}, 1, 0);
    const Arg qs = qs8({2}, {}, 1, 0);
    const Arg symmetric = as(TENSOR_QUANT8_SYMM, qs);
    const Arg channels = perChannel({2}, {}, {1, 2}, 0);
    const Legal kLegal[] = {
            {{"UnsignedToFloat", q, f32({2})}, V1_0},
            {{"UnsignedToHalf", q, f16({2})}, V1_2},
            {{"SymmetricToFloat", symmetric, f32({2})}, V1_2},
            {{"SymmetricToHalf", symmetric, f16({2})}, V1_2},
            {{"PerChannelToFloat", channels, f32({2})}, V1_2},
            {{"PerChannelToHalf", channels, f16({2})}, V1_2},
            {{"SignedToFloat", qs, f32({2})}, V1_3},
            {{"SignedToHalf", qs, f16({2})}, V1_3},
    };
    for (const auto& [of, needed] : kLegal) {
        EXPECT_THAT(check(DEQUANTIZE, {of.input}, {of.output}), Needs(needed)) << of.name;
    }
}

struct Broken {
    Case of;
    const char* message;
};

TEST(Dequantize, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"Integer", i32({2}), f32({2})},
             "DEQUANTIZE: input 0 'input' (operand 0) is TENSOR_INT32, allowed "
             "TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_SYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL or "
             "TENSOR_QUANT8_ASYMM_SIGNED [dequantize.types]"},
            {{"RankFive", q8({1, 1, 1, 1, 1}, {}, 1, 0), f32({})},
             "DEQUANTIZE: input 0 'input' (operand 0) has rank 5, allowed 1 to 4 "
             "[dequantize.rank]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(DEQUANTIZE, {of.input}, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Dequantize, InfersShapes) {
    EXPECT_EQ(infer(DEQUANTIZE, {q8({0, 3}, {}, 1, 0)}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

TEST(Dequantize, Computes) {
    const Case kCases[] = {
            {"Unsigned", q8({3}, {8, 11, 255}, 0.5, 10), f32({3}, {-1, 0.5f, 122.5f})},
            {"Signed", qs8({2}, {-128, 127}, 0.5, 1), f16({2}, {-64.5f, 63})},
            {"Symmetric", as(TENSOR_QUANT8_SYMM, qs8({2}, {-128, 127}, 0.5, 0)),
             f32({2}, {-64, 63.5f})},
            {"FirstChannel", perChannel({2, 2}, {1, 2, 3, -4}, {1, 0.5f}, 0),
             f32({2, 2}, {1, 2, 1.5f, -2})},
            {"MiddleChannel", perChannel({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 10}, 1),
             f32({2, 2, 2}, {1, 2, 30, 40, 5, 6, 70, 80})},
            {"LastChannel", perChannel({2, 2}, {1, 2, 3, 4}, {1, 0.5f}, 1),
             f16({2, 2}, {1, 1, 3, 2})},
            {"NoElements", q8({0, 3}, {}, 1, 0), f32({0, 3})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(DEQUANTIZE, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::dequantize_test
