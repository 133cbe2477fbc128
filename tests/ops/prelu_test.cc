#include "ops/op_test.h"

namespace nn::ops::prelu_test {
namespace {

constexpr auto PRELU = OperationType::PRELU;

struct Legal {
    const char* name;
    Arg input;
    Version needed;
};

TEST(Prelu, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {"Half", f16({2}), V1_2},
            {"Float", f32({1, 1, 1, 1, 2}), V1_2},
            {"Quantised", q8({2}, {}, 1, 0), V1_2},
            {"Signed", qs8({2}, {}, 1, 0), V1_3},
    };
    for (const Legal& row : kLegal) {
        EXPECT_THAT(check(PRELU, {row.input, row.input}, {row.input}), Needs(row.needed))
                << row.name;
    }
}

TEST(Prelu, SaysWhyItRefuses) {
    EXPECT_THAT(check(PRELU, {f32({2}), f16({2})}, {f32({2})}),
                Fails("PRELU: input 1 'alpha' (operand 1) is TENSOR_FLOAT16, allowed "
                      "TENSOR_FLOAT32 when input 0 is TENSOR_FLOAT32 [prelu.types]"));
}

TEST(Prelu, SaysWhyPreparationFails) {
    EXPECT_THAT(infer(PRELU, {f32({3}), f32({2})}, {f32({})}),
                Fails("PRELU: dimension 1 from the end is 3 in input 0 'input' (operand 0) and 2 "
                      "in input 1 'alpha' (operand 1), allowed equal or 1 [prelu.shapes]"));
}

TEST(Prelu, InfersShapes) {
    EXPECT_EQ(infer(PRELU, {f32({0, 1}), f32({3})}, {f32({})}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

struct Case {
    const char* name;
    std::vector<Arg> inputs;
    Arg output;
};

TEST(Prelu, Computes) {
    const Case kCases[] = {
            {"Channels",
             {f32({2, 2}, {1, -1, -2, 2}), f32({2}, {0.5f, 0.25f})},
             f32({2, 2}, {1, -0.25f, -1, 2})},
            {"AlphaOfHigherRank",
             {f32({2}, {-1, -2}), f32({2, 1}, {2, 3})},
             f32({2, 2}, {-2, -4, -3, -6})},
            {"Half", {f16({2}, {-4, 4}), f16({1}, {-1})}, f16({2}, {4, 4})},
            {"Quantised",  // 3, -3 with 0.5
             {q8({2}, {13, 7}, 1, 10), q8({1}, {2}, 0.25f, 0)},
             q8({2}, {26, 17}, 0.5f, 20)},
            {"Signed",  // -100 * -2 saturates
             {qs8({1}, {-100}, 1, 0), qs8({1}, {-2}, 1, 0)},
             qs8({1}, {127}, 1, 0)},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(PRELU, row.inputs, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::prelu_test
