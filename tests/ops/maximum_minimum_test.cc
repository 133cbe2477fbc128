#include <limits>

#include "ops/op_test.h"

namespace nn::ops::maximum_minimum_test {
namespace {

constexpr auto MAXIMUM = OperationType::MAXIMUM;
constexpr auto MINIMUM = OperationType::MINIMUM;

struct Legal {
    const char* name;
    Arg input;
    Version needed;
};

TEST(MaximumMinimum, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {"Half", f16({2}), V1_2},
            {"Float", f32({1, 1, 1, 1, 2}), V1_2},
            {"Integer", i32({}), V1_2},
            {"Quantised", q8({2}, {}, 1, 0), V1_2},
            {"Signed", qs8({2}, {}, 1, 0), V1_3},
    };
    for (const Legal& row : kLegal) {
        for (const OperationType type : {MAXIMUM, MINIMUM}) {
            EXPECT_THAT(check(type, {row.input, row.input}, {row.input}), Needs(row.needed))
                    << row.name;
        }
    }
}

TEST(MaximumMinimum, SaysWhyItRefuses) {
    EXPECT_THAT(check(MAXIMUM, {b8({2}), b8({2})}, {b8({2})}),
                Fails("MAXIMUM: input 0 'input0' (operand 0) is TENSOR_BOOL8, allowed "
                      "TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_INT32, TENSOR_QUANT8_ASYMM or "
                      "TENSOR_QUANT8_ASYMM_SIGNED [maximum_minimum.types]"));
}

TEST(MaximumMinimum, SaysWhyPreparationFails) {
    EXPECT_THAT(infer(MINIMUM, {f32({3}), f32({2})}, {f32({})}),
                Fails("MINIMUM: dimension 1 from the end is 3 in input 0 'input0' (operand 0) and "
                      "2 in input 1 'input1' (operand 1), allowed equal or 1 "
                      "[maximum_minimum.shapes]"));
}

TEST(MaximumMinimum, InfersShapes) {
    EXPECT_EQ(infer(MAXIMUM, {f32({0, 1}), f32({3})}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

struct Case {
    const char* name;
    OperationType type;
    std::vector<Arg> inputs;
    Arg output;
};

TEST(MaximumMinimum, Computes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Case kCases[] = {
            {"Maximum",
             MAXIMUM,
             {f32({2, 2}, {1, 5, 3, 2}), f32({2}, {2, 4})},
             f32({2, 2}, {2, 5, 3, 4})},
            {"Minimum",
             MINIMUM,
             {f32({2, 2}, {1, 5, 3, 2}), f32({2}, {2, 4})},
             f32({2, 2}, {1, 4, 2, 2})},
            {"InfinityStays",
             MAXIMUM,
             {f32({1}, {-kInfinity}), f32({1}, {-kInfinity})},
             f32({1}, {-kInfinity})},
            {"Half", MINIMUM, {f16({1}, {-1}), f16({1}, {2})}, f16({1}, {-1})},
            {"IntegersThatFloatsConfuse",
             MAXIMUM,
             {i32({1}, {16777216}), i32({1}, {16777217})},
             i32({1}, {16777217})},
            {"Quantised",  // 2 and 6, 100 and 6
             MAXIMUM,
             {q8({2}, {4, 200}, 0.5f, 0), q8({1}, {13}, 2, 10)},
             q8({2}, {7, 101}, 1, 1)},
            {"SignedSaturates",
             MINIMUM,
             {qs8({1}, {-128}, 1, 0), qs8({1}, {0}, 1, 0)},
             qs8({1}, {-128}, 0.5f, 0)},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(row.type, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::maximum_minimum_test
