#include "op_support/kernels/fixed_point.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace nn::ops::fixed_point_test {
namespace {

double real(int x, int integerBits) { return x * std::ldexp(1.0, integerBits - 15); }

TEST(FixedPoint, MultipliesWithOneRounding) {
    EXPECT_EQ(multiply16(16384, 3), 2);  // halves upward
    EXPECT_EQ(multiply16(16384, -3), -1);
    EXPECT_EQ(multiply16(INT16_MIN, INT16_MIN), INT16_MAX);
}

TEST(FixedPoint, DotProductsTakeZeroPointsAndWrap) {
    const std::vector<uint8_t> bytes = {0, 255};
    const std::vector<int8_t> weights = {-128, 127};
    const auto dot = [](std::span<const uint8_t> a, int32_t zeroA, std::span<const int8_t> b,
                        int32_t zeroB) { return dotModulo(a, zeroA, b, zeroB); };
    EXPECT_EQ(dot(bytes, 128, weights, 0), 128u * 128 + 127 * 127);
    EXPECT_EQ(dot(bytes, 0, weights, 27), 255u * 100);
    EXPECT_EQ(dot(std::vector<uint8_t>(70000, 255), 0, std::vector<int8_t>(70000, 127), -128),
              70000u * 65025);  // is more than 2^32
}

// The errors of the polynomial and of three steps of Newton's method, in units of the last place.
TEST(FixedPoint, SigmoidAndTanhAreNearRealOnes) {
    for (int integerBits = 0; integerBits <= 6; ++integerBits) {
        int worstSigmoid = 0;
        int worstTanh = 0;
        for (int x = INT16_MIN; x <= INT16_MAX; ++x) {
            const auto stored = static_cast<int16_t>(x);
            const double sigmoid = 1 / (1 + std::exp(-real(x, integerBits)));
            const double tanh = std::tanh(real(x, integerBits));
            const auto difference = [](int16_t got, double wanted) {
                return std::abs(got - static_cast<int>(std::lround(wanted * 32768)));
            };
            worstSigmoid =
                    std::max(worstSigmoid, difference(sigmoid16(stored, integerBits), sigmoid));
            worstTanh = std::max(worstTanh, difference(tanh16(stored, integerBits), tanh));
        }
        EXPECT_LE(worstSigmoid, 7) << integerBits;
        EXPECT_LE(worstTanh, 12) << integerBits;
    }
}

TEST(FixedPoint, SigmoidAndTanhAtTheEnds) {
    EXPECT_EQ(sigmoid16(0, 3), 16384);
    EXPECT_EQ(tanh16(0, 3), 0);
    EXPECT_EQ(sigmoid16(INT16_MIN, 3) + sigmoid16(INT16_MAX, 3), INT16_MAX);
    EXPECT_EQ(tanh16(INT16_MAX, 6), INT16_MAX);
    EXPECT_EQ(tanh16(INT16_MIN, 6), -INT16_MAX);
}

}  // namespace
}  // namespace nn::ops::fixed_point_test
