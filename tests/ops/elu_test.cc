#include "ops/op_test.h"

namespace nn::ops::elu_test {
namespace {

constexpr auto ELU = OperationType::ELU;

TEST(Elu, NeedsTheLeastVersion) {
    EXPECT_THAT(check(ELU, {f32({2}), real(1)}, {f32({2})}), Needs(V1_3));
    EXPECT_THAT(check(ELU, {f16({}), real16(1)}, {f16({})}), Needs(V1_3));
}

TEST(Elu, SaysWhyItRefuses) {
    EXPECT_THAT(check(ELU, {f16({2}), real(1)}, {f16({2})}),
                Fails("ELU: input 1 'alpha' (operand 1) is FLOAT32, allowed FLOAT16 when input 0 "
                      "is TENSOR_FLOAT16 [elu.types]"));
}

TEST(Elu, InfersShapes) {
    EXPECT_EQ(infer(ELU, {f32({0, 3}), real(1)}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

struct Case {
    const char* name;
    std::vector<Arg> inputs;
    Arg output;
};

TEST(Elu, Computes) {
    const Case kCases[] = {
            {"Float", {f32({3}, {2, 0, -0.6931472f}), real(3)}, f32({3}, {2, 0, -1.5f})},
            {"NegativeAlpha", {f32({1}, {-0.6931472f}), real(-1)}, f32({1}, {0.5f})},
            {"Half", {f16({2}, {2, -1000}), real16(0.5f)}, f16({2}, {2, -0.5f})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(ELU, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::elu_test
