// Units, saturation, none, and the two clocks.
#include <limits>

#include "convert_test.h"

namespace nn::time_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
constexpr int64_t kMaxDuration = std::numeric_limits<int64_t>::max();

TEST(Timing, CountsMicrosecondsRoundedUp) {
    const struct {
        OptionalDuration canonical;
        uint64_t hal;
        bool kept;
    } rows[] = {
            {std::nullopt, kMax, true},
            {0ns, 0, true},
            {5us, 5, true},
            {1ns, 1, false},
            {5001ns, 6, false},
            {Duration::max(), 9223372036854776, true},
            {Duration::max() - 1ns, 9223372036854776, false},
            {-1ns, 0, false},
            {-1us, 0, false},
            {Duration::min(), 0, false},
    };
    for (const auto& row : rows) {
        const Timing timing{.timeOnDevice = row.canonical, .timeInDriver = {}};
        EXPECT_EQ(V1_2::utils::unvalidatedConvert(timing)->timeOnDevice, row.hal);
        EXPECT_EQ(lossesOf<HalVersion::V1_2>(timing).empty(), row.kept) << row.hal;
    }
}

TEST(Timing, ComesBackSaturated) {
    const struct {
        uint64_t hal;
        OptionalDuration canonical;
    } rows[] = {
            {kMax, std::nullopt},
            {0, 0ns},
            {7, 7us},
            {9223372036854775, 9223372036854775us},
            {9223372036854776, Duration::max()},
            {kMax - 1, Duration::max()},
    };
    for (const auto& row : rows) {
        const V1_2::Timing hal{.timeOnDevice = row.hal, .timeInDriver = kMax};
        EXPECT_EQ(nn::convert(hal)->timeOnDevice, row.canonical);
    }
}

TEST(Timing, NamesItsLosses) {
    Losses losses;
    const Timing timing{.timeOnDevice = -2us, .timeInDriver = 1500ns};
    ASSERT_TRUE(V1_3::utils::unvalidatedConvert(timing, &losses).ok());
    EXPECT_THAT(losses, ElementsAre(Loss{.path = "timeOnDevice",
                                         .before = "-2000 ns",
                                         .after = "0 ns",
                                         .why = "HAL 1.3 has no negative times"},
                                    Loss{.path = "timeInDriver",
                                         .before = "1500 ns",
                                         .after = "2000 ns",
                                         .why = "HAL 1.3 counts whole microseconds"}));
}

TEST(Timing, RefusesNegativeTimesWhenValidated) {
    EXPECT_THAT(V1_2::utils::convert(Timing{.timeOnDevice = -1us, .timeInDriver = {}}),
                IsInvalid("timeOnDevice is -1000 ns, allowed 0 or more [time.negative]"));
}

V1_3::OptionalTimeoutDuration timeout(uint64_t nanoseconds) {
    V1_3::OptionalTimeoutDuration duration;
    duration.nanoseconds(nanoseconds);
    return duration;
}

TEST(OptionalDuration, SaturatesBothWays) {
    EXPECT_EQ(V1_3::utils::convert(OptionalDuration()).value(), V1_3::OptionalTimeoutDuration());
    EXPECT_EQ(V1_3::utils::convert(OptionalDuration(5ns)).value(), timeout(5));
    EXPECT_EQ(nn::convert(V1_3::OptionalTimeoutDuration()).value(), OptionalDuration());
    EXPECT_EQ(nn::convert(timeout(5)).value(), OptionalDuration(5ns));
    EXPECT_EQ(nn::convert(timeout(kMax)).value(), OptionalDuration(Duration::max()));

    EXPECT_FALSE(V1_3::utils::convert(OptionalDuration(-5ns)).ok());
    EXPECT_EQ(V1_3::utils::unvalidatedConvert(OptionalDuration(-5ns)).value(), timeout(0));
    EXPECT_THAT(lossesOf<HalVersion::V1_3>(OptionalDuration(-5ns)),
                ElementsAre(Loss{.path = "",
                                 .before = "-5 ns",
                                 .after = "0 ns",
                                 .why = "HAL 1.3 has no negative times"}));
}

V1_3::OptionalTimePoint steady(uint64_t nanoseconds) {
    V1_3::OptionalTimePoint timePoint;
    timePoint.nanosecondsSinceEpoch(nanoseconds);
    return timePoint;
}

OptionalTimePoint boot(Duration time) { return TimePoint(time); }

// The machine was suspended for 900 ns since it booted.
constexpr ClockReading kClocks{.boot = 1000ns, .steady = 100ns};

// Rule deadline.clock.
TEST(OptionalTimePoint, KeepsTheTimeThatRemains) {
    const struct {
        OptionalTimePoint canonical;
        V1_3::OptionalTimePoint hal;
        bool kept;
    } rows[] = {
            {std::nullopt, {}, true},
            {boot(1000ns), steady(100), true},  // now
            {boot(1050ns), steady(150), true},  // in 50 ns
            {boot(950ns), steady(50), true},    // passed
            {boot(900ns), steady(0), true},
            {boot(899ns), steady(0), false},  // before the steady clock started
            {boot(0ns), steady(0), false},
            {boot(Duration::max()), steady(kMaxDuration - 900), true},
    };
    for (const auto& row : rows) {
        Losses losses;
        const auto hal = V1_3::utils::convert(row.canonical, &losses, kClocks);
        ASSERT_TRUE(hal.ok()) << hal.status();
        EXPECT_EQ(*hal, row.hal);
        EXPECT_EQ(losses.empty(), row.kept);
        EXPECT_EQ(nn::convert(*hal, kClocks).value() == row.canonical, row.kept);
    }
}

TEST(OptionalTimePoint, SaturatesOnTheWayIn) {
    EXPECT_EQ(nn::convert(steady(kMax), kClocks).value(), boot(Duration::max()));
    const ClockReading ahead{.boot = 0ns, .steady = 100ns};
    EXPECT_EQ(nn::convert(steady(40), ahead).value(), boot(0ns));
}

TEST(OptionalTimePoint, ToleratesAnyClockReading) {
    const ClockReading extremes[] = {{.boot = Duration::min(), .steady = Duration::max()},
                                     {.boot = Duration::max(), .steady = Duration::min()},
                                     {.boot = Duration::min(), .steady = Duration::min()}};
    for (const ClockReading& clocks : extremes) {
        for (const Duration time : {Duration::min(), Duration::zero(), Duration::max()}) {
            Losses losses;
            EXPECT_TRUE(V1_3::utils::unvalidatedConvert(boot(time), &losses, clocks).ok());
            EXPECT_TRUE(nn::unvalidatedConvert(steady(kMax), clocks).ok());
        }
    }
}

TEST(OptionalTimePoint, NegativeIsRefusedWhenValidatedAndLimitedOtherwise) {
    EXPECT_FALSE(V1_3::utils::convert(boot(-1ns), nullptr, kClocks).ok());
    Losses losses;
    EXPECT_EQ(V1_3::utils::unvalidatedConvert(boot(-1ns), &losses, kClocks).value(), steady(0));
    EXPECT_THAT(losses, ElementsAre(Loss{.path = "",
                                         .before = "-1 ns after boot",
                                         .after = "900 ns after boot",
                                         .why = "HAL 1.3 counts from 0 on the steady clock to the "
                                                "largest time point"}));
}

TEST(OptionalTimePoint, ReadsTheClocksWhenNoneAreGiven) {
    const OptionalTimePoint deadline = Clock::now() + 1h;
    const auto back = nn::convert(V1_3::utils::convert(deadline).value()).value();
    EXPECT_LT(std::chrono::abs(*back - *deadline), 1min);
}

}  // namespace
}  // namespace nn::time_test
