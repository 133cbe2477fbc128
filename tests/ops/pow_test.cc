#include "ops/op_test.h"

namespace nn::ops::pow_test {
namespace {

constexpr auto POW = OperationType::POW;

TEST(Pow, NeedsTheLeastVersion) {
    EXPECT_THAT(check(POW, {f32({2}), f32({})}, {f32({})}), Needs(V1_2));
    EXPECT_THAT(check(POW, {f16({2}), f16({1, 1, 1, 1, 1})}, {f16({})}), Needs(V1_2));
}

TEST(Pow, SaysWhyItRefuses) {
    EXPECT_THAT(check(POW, {f32({2}), i32({2})}, {f32({2})}),
                Fails("POW: input 1 'exponent' (operand 1) is TENSOR_INT32, allowed "
                      "TENSOR_FLOAT32 when input 0 is TENSOR_FLOAT32 [pow.types]"));
}

TEST(Pow, SaysWhyPreparationFails) {
    EXPECT_THAT(infer(POW, {f32({3}), f32({2})}, {f32({})}),
                Fails("POW: dimension 1 from the end is 3 in input 0 'base' (operand 0) and 2 in "
                      "input 1 'exponent' (operand 1), allowed equal or 1 [pow.shapes]"));
}

TEST(Pow, InfersShapes) {
    EXPECT_EQ(infer(POW, {f32({0, 1}), f32({3})}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

struct Case {
    const char* name;
    std::vector<Arg> inputs;
    Arg output;
};

TEST(Pow, Computes) {
    const Case kCases[] = {
            {"Float", {f32({2}, {2, 9}), f32({2}, {3, 0.5f})}, f32({2}, {8, 3})},
            {"NegativeBase", {f32({2}, {-2, -2}), f32({2}, {3, -2})}, f32({2}, {-8, 0.25f})},
            {"ZeroToZero", {f32({1}, {0}), f32({1}, {0})}, f32({1}, {1})},
            {"Half", {f16({2}, {2, 3}), f16({1}, {2})}, f16({2}, {4, 9})},
            {"Broadcast", {f32({2, 1}, {2, 3}), f32({2}, {1, 2})}, f32({2, 2}, {2, 4, 3, 9})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(POW, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::pow_test
