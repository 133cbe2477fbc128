#include <limits>

#include "ops/op_test.h"

namespace nn::ops::relu_test {
namespace {

constexpr auto RELU = OperationType::RELU;
constexpr auto RELU1 = OperationType::RELU1;
constexpr auto RELU6 = OperationType::RELU6;

struct Legal {
    const char* name;
    Arg input;
    Version needed;
};

TEST(Relu, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {"Float", f32({2, 3}), V1_0},
            {"UnknownRank", as(TENSOR_QUANT8_ASYMM, f32({})), V1_0},
            {"Quantised", q8({2, 3}, {}, 1, 0), V1_0},
            {"Half", f16({2, 3}), V1_2},
            {"Signed", qs8({2, 3}, {}, 1, 0), V1_3},
    };
    for (const Legal& row : kLegal) {
        for (const OperationType type : {RELU, RELU1, RELU6}) {
            EXPECT_THAT(check(type, {row.input}, {row.input}), Needs(row.needed)) << row.name;
        }
    }
}

struct Case {
    const char* name;
    OperationType type;
    Arg input;
    Arg output;
};

struct Broken {
    Case of;
    const char* message;
};

TEST(Relu, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"Integer", RELU, i32({2}), i32({2})},
             "RELU: input 0 'input' (operand 0) is TENSOR_INT32, allowed TENSOR_FLOAT32, "
             "TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16 or TENSOR_QUANT8_ASYMM_SIGNED [relu.types]"},
            {{"OtherOutput", RELU1, f32({2}), f16({2})},
             "RELU1: output 0 'output' (operand 1) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 when "
             "input 0 is TENSOR_FLOAT32 [relu.types]"},
            {{"RankFive", RELU6, f32({1, 1, 1, 1, 3}), f32({})},
             "RELU6: input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [relu.rank]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(of.type, {of.input}, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Relu, SaysWhyPreparationFails) {
    EXPECT_THAT(infer(RELU, {q8({2}, {}, 1, 3)}, {q8({2}, {}, 1, 0)}),
                Fails("RELU: output 0 'output' (operand 1) has scale 1 and zeroPoint 0, allowed 1 "
                      "and 3 as input 0 'input' (operand 0) [relu.quantization]"));
}

TEST(Relu, InfersShapes) {
    EXPECT_EQ(infer(RELU, {f32({0, 3})}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

TEST(Relu, Computes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kLargest = std::numeric_limits<float>::max();
    const Case kCases[] = {
            {"Relu", RELU, f32({4}, {-3, -0.5f, 0, 7}), f32({4}, {0, 0, 0, 7})},
            {"Relu1", RELU1, f32({4}, {-3, -0.5f, 0, 2}), f32({4}, {-1, -0.5f, 0, 1})},
            {"Relu6", RELU6, f32({4}, {-3, 5.5f, 6, 7}), f32({4}, {0, 5.5f, 6, 6})},
            {"Infinity", RELU, f32({2}, {-kInfinity, kInfinity}), f32({2}, {0, kLargest})},
            {"Half", RELU6, f16({2}, {-3, 7}), f16({2}, {0, 6})},
            {"Quantised", RELU, q8({3}, {0, 128, 255}, 0.1f, 128),
             q8({3}, {128, 128, 255}, 0.1f, 128)},
            {"QuantisedBoundsAreRounded",  // -1 and 1 are 3.33 steps of 0.3
             RELU1, q8({4}, {0, 126, 129, 255}, 0.3f, 128),
             q8({4}, {125, 126, 129, 131}, 0.3f, 128)},
            {"Signed", RELU6, qs8({3}, {-128, 0, 127}, 0.5, -10), qs8({3}, {-10, 0, 2}, 0.5, -10)},
            {"NoElements", RELU, f32({0, 3}), f32({0, 3})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::relu_test
