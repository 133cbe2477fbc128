#include <limits>

#include "ops/op_test.h"

namespace nn::ops::comparison_test {
namespace {

constexpr auto EQUAL = OperationType::EQUAL;
constexpr auto GREATER = OperationType::GREATER;
constexpr auto GREATER_EQUAL = OperationType::GREATER_EQUAL;
constexpr auto LESS = OperationType::LESS;
constexpr auto LESS_EQUAL = OperationType::LESS_EQUAL;
constexpr auto NOT_EQUAL = OperationType::NOT_EQUAL;
constexpr OperationType kAll[] = {EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_EQUAL};

struct Legal {
    const char* name;
    Arg input;
    Version needed;
};

TEST(Comparison, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {"Bool", b8({2}), V1_2},
            {"Half", f16({2}), V1_2},
            {"Float", f32({1, 1, 1, 1, 2}), V1_2},
            {"Integer", i32({}), V1_2},
            {"Quantised", q8({2}, {}, 1, 0), V1_2},
            {"Signed", qs8({2}, {}, 1, 0), V1_3},
    };
    for (const Legal& row : kLegal) {
        for (const OperationType type : kAll) {
            EXPECT_THAT(check(type, {row.input, row.input}, {b8({})}), Needs(row.needed))
                    << row.name;
        }
    }
}

struct Case {
    const char* name;
    OperationType type;
    std::vector<Arg> inputs;
    Arg output;
};

struct Broken {
    Case of;
    const char* message;
};

TEST(Comparison, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            {{"OtherType", EQUAL, {f32({2}), i32({2})}, b8({2})},
             "EQUAL: input 1 'input1' (operand 1) is TENSOR_INT32, allowed TENSOR_FLOAT32 when "
             "input 0 is TENSOR_FLOAT32 [comparison.types]"},
            {{"OutputOfInputs", LESS, {f32({2}), f32({2})}, f32({2})},
             "LESS: output 0 'output' (operand 2) is TENSOR_FLOAT32, allowed TENSOR_BOOL8 "
             "[comparison.types]"},
    };
    for (const auto& [of, message] : kBroken) {
        EXPECT_THAT(check(of.type, of.inputs, {of.output}), Fails(message)) << of.name;
    }
}

TEST(Comparison, SaysWhyPreparationFails) {
    EXPECT_THAT(infer(LESS, {f32({3}), f32({2})}, {b8({})}),
                Fails("LESS: dimension 1 from the end is 3 in input 0 'input0' (operand 0) and 2 "
                      "in input 1 'input1' (operand 1), allowed equal or 1 [comparison.shapes]"));
}

TEST(Comparison, InfersShapes) {
    EXPECT_EQ(infer(LESS, {f32({0, 1}), f32({3})}, {b8({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

TEST(Comparison, Computes) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Arg> kFloats = {f32({4}, {1, 2, 3, kNan}), f32({4}, {2, 2, 2, kNan})};
    const Case kCases[] = {
            {"Equal", EQUAL, kFloats, b8({4}, {0, 1, 0, 0})},
            {"Greater", GREATER, kFloats, b8({4}, {0, 0, 1, 0})},
            {"GreaterEqual", GREATER_EQUAL, kFloats, b8({4}, {0, 1, 1, 0})},
            {"Less", LESS, kFloats, b8({4}, {1, 0, 0, 0})},
            {"LessEqual", LESS_EQUAL, kFloats, b8({4}, {1, 1, 0, 0})},
            {"NotEqual", NOT_EQUAL, kFloats, b8({4}, {1, 0, 1, 1})},
            {"Half", LESS, {f16({2}, {1, 3}), f16({1}, {2})}, b8({2}, {1, 0})},
            {"Broadcast", LESS, {f32({2, 1}, {1, 3}), f32({2}, {2, 4})}, b8({2, 2}, {1, 1, 0, 1})},
            {"IntegersThatFloatsConfuse",
             EQUAL,
             {i32({2}, {16777217, -5}), i32({2}, {16777216, -5})},
             b8({2}, {0, 1})},
            {"BoolsAreBytes", EQUAL, {b8({2}, {2, 1}), b8({1}, {1})}, b8({2}, {0, 1})},
            {"QuantisedAreReal",  // 2 and 1.5 with 2
             EQUAL,
             {q8({2}, {4, 3}, 0.5f, 0), q8({1}, {11}, 2, 10)},
             b8({2}, {1, 0})},
            {"Signed",
             GREATER,
             {qs8({2}, {-128, 127}, 1, 0), qs8({1}, {-128}, 0.5f, 0)},
             b8({2}, {0, 1})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::comparison_test
