#include <limits>

#include "ops/tables.h"

namespace nn::ops::quantize_test {
namespace {

constexpr auto QUANTIZE = OperationType::QUANTIZE;

TEST(Quantize, NeedsTheLeastVersion) {
    expectNeeds(QUANTIZE, {{"FloatToUnsigned", {f32({2})}, {q8({2}, {}, 1, 0)}, V1_2},
                           {"HalfToUnsigned", {f16({2})}, {q8({2}, {}, 1, 0)}, V1_2},
                           {"FloatToSigned", {f32({2})}, {qs8({2}, {}, 1, 0)}, V1_3},
                           {"HalfToSigned", {f16({1, 1, 1, 1, 1})}, {qs8({}, {}, 1, 0)}, V1_3}});
}

TEST(Quantize, SaysWhyItRefuses) {
    expectFails(
            check, QUANTIZE,
            {{"Quant16",
              {f32({2})},
              {q16a({2}, {}, 1, 0)},
              "output 0 'output' (operand 1) is TENSOR_QUANT16_ASYMM, allowed TENSOR_QUANT8_ASYMM "
              "or TENSOR_QUANT8_ASYMM_SIGNED when input 0 is TENSOR_FLOAT32 [quantize.types]"}});
}

TEST(Quantize, InfersShapes) {
    expectShapes(QUANTIZE, {{"UnknownDimension", {f32({0, 3})}, {q8({}, {}, 1, 0)}, {{0, 3}}}});
}

TEST(Quantize, Computes) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expectComputes(QUANTIZE,
                   {{"HalvesAwayFromZero",
                     {f32({4}, {0.25f, -0.25f, 0.75f, -1})},
                     {q8({4}, {11, 9, 12, 8}, 0.5, 10)}},
                    {"Saturates", {f32({2}, {1000, -1000})}, {q8({2}, {255, 0}, 0.5, 10)}},
                    {"NotFinite",
                     {f32({3}, {kInfinity, -kInfinity, kNan})},
                     {qs8({3}, {127, -128, 127}, 0.5, 10)}},
                    {"Half", {f16({2}, {1, -2})}, {qs8({2}, {12, 6}, 0.5, 10)}},
                    {"NoElements", {f32({2, 0})}, {q8({2, 0}, {}, 1, 0)}}});
}

}  // namespace
}  // namespace nn::ops::quantize_test
