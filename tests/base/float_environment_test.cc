#include "base/float_environment.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <thread>

#include "odd_float_environment.h"

namespace nn::float_environment_test {
namespace {

constexpr float kLeast = std::numeric_limits<float>::denorm_min();

// Whether a sum rounds to the next float after 1.
bool roundsUp() {
    volatile float one = 1, little = 0x1p-100f;
    return one + little != 1;
}

TEST(FloatEnvironment, IsTheDefaultWithinAnother) {
    const auto initial = FloatControls::ofThisThread();
    EXPECT_EQ(initial, FloatControls::byDefault());
    bool before, within, nested, after, isRestored;
    {
        const OddFloatEnvironment odd;
        const auto controls = FloatControls::ofThisThread();
        before = roundsUp();
        {
            const DefaultFloatEnvironment environment;
            within = roundsUp();
            {
                const DefaultFloatEnvironment again;
                std::fesetround(FE_UPWARD);  // as another function may do
            }
            nested = roundsUp();
        }
        after = roundsUp();
        isRestored = FloatControls::ofThisThread() == controls;
    }
    EXPECT_TRUE(before);
    EXPECT_FALSE(within);
    EXPECT_FALSE(nested);
    EXPECT_TRUE(after);
    EXPECT_TRUE(isRestored);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(FloatControls::ofThisThread(), initial);
}

TEST(FloatEnvironment, LetsNothingTrap) {
    const OddFloatEnvironment odd;
    const DefaultFloatEnvironment environment;
    volatile float zero = 0;
    volatile float quotient = zero / zero;
    EXPECT_NE(quotient, quotient);
}

TEST(FloatEnvironment, KeepsSubnormalNumbers) {
    const OddFloatEnvironment odd;
    const DefaultFloatEnvironment environment;
    volatile float least = kLeast;
    volatile float twice = least * 2;
    EXPECT_NE(twice, 0);
}

TEST(FloatEnvironment, BelongsToAThread) {
    const OddFloatEnvironment odd;
    bool isInherited = false;
    {
        const DefaultFloatEnvironment environment;
        std::thread([&] { isInherited = roundsUp(); }).join();
    }
    EXPECT_FALSE(isInherited);
    EXPECT_TRUE(roundsUp());
}

}  // namespace
}  // namespace nn::float_environment_test
