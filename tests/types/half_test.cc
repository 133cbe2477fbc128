#include "nnapi/half.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace nn {
namespace {

bool sameHalf(uint16_t a, uint16_t b) {
    const bool nanA = (a & 0x7FFF) > 0x7C00, nanB = (b & 0x7FFF) > 0x7C00;
    return nanA ? nanB : a == b;
}

TEST(Half, WidensEveryValueAsEigenDoes) {
    for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        const auto expected = static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(half));
        const float actual = halfToFloat(half);
        ASSERT_TRUE(std::isnan(expected) ? std::isnan(actual) : actual == expected) << bits;
        ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << bits;
    }
}

TEST(Half, RoundsAsEigenDoes) {
    // Every half, the floats next to it, and the midpoint between it and the next.
    for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const float exact = halfToFloat(static_cast<uint16_t>(bits));
        const float next = halfToFloat(static_cast<uint16_t>(bits + 1));
        const float tie = (exact + next) / 2;
        for (const float value :
             {exact, tie, std::nextafter(tie, exact), std::nextafter(tie, next)}) {
            const auto expected = Eigen::numext::bit_cast<uint16_t>(Eigen::half(value));
            ASSERT_TRUE(sameHalf(floatToHalf(value), expected)) << value;
        }
    }
}

TEST(Half, Extremes) {
    EXPECT_EQ(floatToHalf(65504.0f), 0x7BFF);
    EXPECT_EQ(floatToHalf(65520.0f), 0x7C00);
    EXPECT_EQ(floatToHalf(std::numeric_limits<float>::max()), 0x7C00);
    EXPECT_EQ(floatToHalf(-std::numeric_limits<float>::infinity()), 0xFC00);
    EXPECT_EQ(floatToHalf(0x1p-24f), 0x0001);
    EXPECT_EQ(floatToHalf(0x1p-25f), 0x0000);
    EXPECT_EQ(floatToHalf(-0.0f), 0x8000);
}

}  // namespace
}  // namespace nn
