#include <limits>

#include "ops/op_test.h"

namespace nn::ops::elementwise_test {
namespace {

constexpr auto ABS = OperationType::ABS;
constexpr auto EXP = OperationType::EXP;
constexpr auto FLOOR = OperationType::FLOOR;
constexpr auto LOG = OperationType::LOG;
constexpr auto NEG = OperationType::NEG;
constexpr auto RSQRT = OperationType::RSQRT;
constexpr auto SIN = OperationType::SIN;
constexpr auto SQRT = OperationType::SQRT;

constexpr int32_t kLeastInt = std::numeric_limits<int32_t>::min();
constexpr int32_t kMostInt = std::numeric_limits<int32_t>::max();

struct Legal {
    const char* name;
    std::vector<OperationType> types;
    Arg input;
    Version needed;
};

TEST(Elementwise, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {"FloorFloat", {FLOOR}, f32({2}), V1_0},
            {"FloorUnknownRank", {FLOOR}, f32({}), V1_0},
            {"Float", {ABS, EXP, LOG, NEG, RSQRT, SIN, SQRT}, f32({2}), V1_2},
            {"RankFive", {ABS, EXP, LOG, NEG, RSQRT, SIN, SQRT}, f32({1, 1, 1, 1, 2}), V1_2},
            {"Half", {ABS, EXP, FLOOR, LOG, NEG, RSQRT, SIN, SQRT}, f16({2}), V1_2},
            {"NegInteger", {NEG}, i32({2}), V1_2},
            {"AbsInteger", {ABS}, i32({2}), V1_3},
            {"RsqrtQuantised", {RSQRT}, q8({2}, {}, 1, 0), AIDL3},
            {"RsqrtSigned", {RSQRT}, qs8({2}, {}, 1, 0), AIDL3},
    };
    for (const Legal& row : kLegal) {
        for (const OperationType type : row.types) {
            EXPECT_THAT(check(type, {row.input}, {row.input}), Needs(row.needed))
                    << row.name << " " << toString(type);
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

TEST(Elementwise, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"FloorInteger", FLOOR, i32({2}), i32({2})},
             "FLOOR: input 0 'input' (operand 0) is TENSOR_INT32, allowed TENSOR_FLOAT32 or "
             "TENSOR_FLOAT16 [elementwise.types]"},
            {{"ExpQuantised", EXP, q8({2}, {}, 1, 0), q8({2}, {}, 1, 0)},
             "EXP: input 0 'input' (operand 0) is TENSOR_QUANT8_ASYMM, allowed TENSOR_FLOAT32 or "
             "TENSOR_FLOAT16 [elementwise.types]"},
            {{"FloorRankFive", FLOOR, f32({1, 1, 1, 1, 2}), f32({})},
             "FLOOR: input 0 'input' (operand 0) has rank 5, allowed 1 to 4 [elementwise.rank]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(of.type, {of.input}, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Elementwise, InfersShapes) {
    EXPECT_EQ(infer(SIN, {f32({0, 3})}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

TEST(Elementwise, Computes) {
    const Case kCases[] = {
            {"Abs", ABS, f32({3}, {-2.5f, 0, 3}), f32({3}, {2.5f, 0, 3})},
            {"AbsInteger", ABS, i32({3}, {-2, 3, kLeastInt}), i32({3}, {2, 3, kLeastInt})},
            {"Exp", EXP, f32({2}, {0, 1}), f32({2}, {1, 2.7182818f})},
            {"Floor", FLOOR, f32({4}, {-1.5f, -1, 0.9f, 2}), f32({4}, {-2, -1, 0, 2})},
            {"Log", LOG, f32({2}, {1, 2.7182818f}), f32({2}, {0, 1})},
            {"Neg", NEG, f16({2}, {-2.5f, 3}), f16({2}, {2.5f, -3})},
            {"NegInteger", NEG, i32({3}, {-2, kMostInt, kLeastInt}),
             i32({3}, {2, -kMostInt, kLeastInt})},
            {"Rsqrt", RSQRT, f32({2}, {4, 0.25f}), f32({2}, {0.5f, 2})},
            {"RsqrtQuantised",  // 4, 1, 0 and -1
             RSQRT, q8({4}, {5, 2, 1, 0}, 1, 1), q8({4}, {15, 20, 255, 255}, 0.1f, 10)},
            {"RsqrtSigned", RSQRT, qs8({2}, {4, -3}, 1, 0), qs8({2}, {5, 127}, 0.1f, 0)},
            {"Sin", SIN, f32({2}, {0, 1.5707963f}), f32({2}, {0, 1})},
            {"Sqrt", SQRT, f32({2}, {9, 0.25f}), f32({2}, {3, 0.5f})},
            {"Half", SQRT, f16({2}, {9, 0.25f}), f16({2}, {3, 0.5f})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::elementwise_test
