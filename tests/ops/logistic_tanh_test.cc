#include "ops/op_test.h"

namespace nn::ops::logistic_tanh_test {
namespace {

constexpr auto LOGISTIC = OperationType::LOGISTIC;
constexpr auto TANH = OperationType::TANH;

struct Case {
    const char* name;
    OperationType type;
    Arg input;
    Arg output;
};

struct Legal {
    Case of;
    Version needed;
};

TEST(LogisticTanh, NeedsTheLeastVersion) {
    const Arg q = q8({2}, {}, 1, 0);
    const Arg qs = qs8({2}, {}, 1, 0);
    const Legal kLegal[] = {
            {{"LogisticFloat", LOGISTIC, f32({2}), f32({2})}, V1_0},
            {{"LogisticQuantised", LOGISTIC, q, q}, V1_0},
            {{"LogisticHalf", LOGISTIC, f16({2}), f16({2})}, V1_2},
            {{"LogisticSigned", LOGISTIC, qs, qs}, V1_3},
            {{"TanhFloat", TANH, f32({}), f32({})}, V1_0},
            {{"TanhQuantised", TANH, q, q}, V1_2},
            {{"TanhHalf", TANH, f16({2}), f16({2})}, V1_2},
            {{"TanhSigned", TANH, qs, qs}, V1_3},
    };
    for (const auto& [of, needed] : kLegal) {
        EXPECT_THAT(check(of.type, {of.input}, {of.output}), Needs(needed)) << of.name;
    }
}

struct Broken {
    Case of;
    const char* message;
};

TEST(LogisticTanh, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"Integer", LOGISTIC, i32({2}), i32({2})},
             "LOGISTIC: input 0 'input' (operand 0) is TENSOR_INT32, allowed TENSOR_FLOAT32, "
             "TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16 or TENSOR_QUANT8_ASYMM_SIGNED "
             "[logistic_tanh.types]"},
            {{"RankFive", TANH, f32({1, 1, 1, 1, 3}), f32({})},
             "TANH: input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [logistic_tanh.rank]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(of.type, {of.input}, {of.output}), Fails(message)) << of.name;
    }
}

TEST(LogisticTanh, SaysWhyPreparationFails) {
    const Broken kBroken[] = {
            {{"LogisticQuantisation", LOGISTIC, q8({2}, {}, 1, 0), q8({2}, {}, 0.5, 0)},
             "LOGISTIC: output 0 'output' (operand 1) has scale 0.5 and zeroPoint 0, allowed "
             "0.00390625 and 0 [logistic_tanh.quantization]"},
            {{"TanhQuantisation", TANH, qs8({2}, {}, 1, 0), qs8({2}, {}, 1.0f / 128, 1)},
             "TANH: output 0 'output' (operand 1) has scale 0.0078125 and zeroPoint 1, allowed "
             "0.0078125 and 0 [logistic_tanh.quantization]"},
            {{"Scale", TANH, q8({2}, {}, 0x1p-27f, 0), q8({2}, {}, 1.0f / 128, 128)},
             "TANH: input 0 'input' (operand 0) has scale 7.450581e-09, allowed above 2^-27 "
             "[logistic_tanh.scale]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(infer(of.type, {of.input}, {of.output}), Fails(message)) << of.name;
    }
}

TEST(LogisticTanh, Computes) {
    const Case kCases[] = {
            {"Logistic", LOGISTIC, f32({4}, {0, 1.0986123f, -1000, 1000}),
             f32({4}, {0.5f, 0.75f, 0, 1})},
            {"Tanh", TANH, f32({4}, {0, 0.5493061f, -1000, 1000}), f32({4}, {0, 0.5f, -1, 1})},
            {"Half", TANH, f16({1}, {0.5493061f}), f16({1}, {0.5f})},
            {"LogisticQuantised", LOGISTIC, q8({3}, {0, 128, 255}, 1, 128),
             q8({3}, {0, 128, 255}, 1.0f / 256, 0)},
            {"LogisticSigned", LOGISTIC, qs8({3}, {-128, 0, 127}, 1, 0),
             qs8({3}, {-128, 0, 127}, 1.0f / 256, -128)},
            {"TanhQuantised", TANH, q8({3}, {0, 128, 255}, 1, 128),
             q8({3}, {0, 128, 255}, 1.0f / 128, 128)},
            {"TanhSigned", TANH, qs8({3}, {-128, 0, 127}, 1, 0),
             qs8({3}, {-128, 0, 127}, 1.0f / 128, 0)},
            {"NoElements", TANH, f32({0, 3}), f32({0, 3})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::logistic_tanh_test
