#include "ops/op_test.h"

namespace nn::ops::hard_swish_test {
namespace {

constexpr auto HARD_SWISH = OperationType::HARD_SWISH;

TEST(HardSwish, NeedsTheLeastVersion) {
    const Arg kInputs[] = {f16({2}), f32({1, 1, 1, 1, 2}), q8({2}, {}, 1, 0), qs8({2}, {}, 1, 0)};
    for (const Arg& input : kInputs) {
        EXPECT_THAT(check(HARD_SWISH, {input}, {input}), Needs(V1_3)) << toString(input.type);
    }
}

TEST(HardSwish, SaysWhyItRefuses) {
    EXPECT_THAT(check(HARD_SWISH, {i32({2})}, {i32({2})}),
                Fails("HARD_SWISH: input 0 'input' (operand 0) is TENSOR_INT32, allowed "
                      "TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM or "
                      "TENSOR_QUANT8_ASYMM_SIGNED [hard_swish.types]"));
}

TEST(HardSwish, InfersShapes) {
    EXPECT_EQ(infer(HARD_SWISH, {f32({0, 3})}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

struct Case {
    const char* name;
    Arg input;
    Arg output;
};

TEST(HardSwish, Computes) {
    const Case kCases[] = {
            {"Float", f32({5}, {-4, -1, 0, 1, 4}), f32({5}, {0, -1 / 3.0f, 0, 2 / 3.0f, 4})},
            {"Half", f16({2}, {-1, 4}), f16({2}, {-1 / 3.0f, 4})},
            {"Quantised",  // -4, -1, 1, 4 in thirds
             q8({4}, {0, 3, 5, 8}, 1, 4), q8({4}, {10, 9, 12, 22}, 1 / 3.0f, 10)},
            {"Signed", qs8({2}, {-3, 127}, 1, 0), qs8({2}, {-10, 127}, 0.5f, -10)},
            {"NoElements", f32({0, 3}), f32({0, 3})},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(HARD_SWISH, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::hard_swish_test
