#include <limits>

#include "ops/op_test.h"

namespace nn::ops::quantize_test {
namespace {

constexpr auto QUANTIZE = OperationType::QUANTIZE;

struct Case {
    const char* name;
    Arg input;
    Arg output;
};

struct Legal {
    Case of;
    Version needed;
};

TEST(Quantize, NeedsTheLeastVersion) {
    const Legal kLegal[] = {
            {{"FloatToUnsigned", f32({2}), q8({2}, {}, 1, 0)}, V1_2},
            {{"HalfToUnsigned", f16({2}), q8({2}, {}, 1, 0)}, V1_2},
            {{"FloatToSigned", f32({2}), qs8({2}, {}, 1, 0)}, V1_3},
            {{"HalfToSigned", f16({1, 1, 1, 1, 1}), qs8({}, {}, 1, 0)}, V1_3},
    };
    for (const auto& [of, needed] : kLegal) {
        EXPECT_THAT(check(QUANTIZE, {of.input}, {of.output}), Needs(needed)) << of.name;
    }
}

TEST(Quantize, SaysWhyItRefuses) {
    EXPECT_THAT(check(QUANTIZE, {f32({2})}, {q16a({2}, {}, 1, 0)}),
                Fails("QUANTIZE: output 0 'output' (operand 1) is TENSOR_QUANT16_ASYMM, allowed "
                      "TENSOR_QUANT8_ASYMM or TENSOR_QUANT8_ASYMM_SIGNED when input 0 is "
                      "TENSOR_FLOAT32 [quantize.types]"));
}

TEST(Quantize, InfersShapes) {
    EXPECT_EQ(infer(QUANTIZE, {f32({0, 3})}, {q8({}, {}, 1, 0)}).outputs[0].dimensions,
              (std::vector<uint32_t>{0, 3}));
}

TEST(Quantize, Computes) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Case kCases[] = {
            {"HalvesAwayFromZero", f32({4}, {0.25f, -0.25f, 0.75f, -1}),
             q8({4}, {11, 9, 12, 8}, 0.5, 10)},
            {"Saturates", f32({2}, {1000, -1000}), q8({2}, {255, 0}, 0.5, 10)},
            {"NotFinite", f32({3}, {kInfinity, -kInfinity, kNan}),
             qs8({3}, {127, -128, 127}, 0.5, 10)},
            {"Half", f16({2}, {1, -2}), qs8({2}, {12, 6}, 0.5, 10)},
            {"NoElements", f32({2, 0}), q8({2, 0}, {}, 1, 0)},
    };
    for (const Case& row : kCases) {
        Arg output = row.output;
        output.data.clear();
        EXPECT_THAT(run(QUANTIZE, {row.input}, {output}), Gives(row.output)) << row.name;
    }
}

}  // namespace
}  // namespace nn::ops::quantize_test
