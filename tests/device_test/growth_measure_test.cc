// What counts as growth of the process.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <vector>

#include "device_test/cases/growth.h"
#include "nnapi/types.h"

namespace nn::testing {
namespace {

constexpr size_t kActions = 400;

// Opens a descriptor at each call until so many are open.
DeviceOutcome repeatOpening(size_t most) {
    std::vector<UniqueFd> held;
    const Failure failure = repeat("actions", kActions, [&]() -> Failure {
        if (held.size() < most) held.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
        return std::nullopt;
    });
    return failure.value_or(passed());
}

TEST(Growth, OfEachActionFails) {
    const DeviceOutcome outcome = repeatOpening(2 * kActions);
    EXPECT_EQ(outcome.result, DeviceOutcome::Result::FAILED);
    EXPECT_EQ(outcome.rules, "device_test.stress");
}

// Longer than the first actions, which never count.
TEST(Growth, ToABoundPasses) {
    EXPECT_EQ(repeatOpening(kActions / 2).result, DeviceOutcome::Result::PASSED);
}

TEST(Growth, EndsWhereAnActionFails) {
    size_t calls = 0;
    const Failure outcome = repeat("actions", kActions, [&]() -> Failure {
        return ++calls < kActions / 2 ? Failure()
                                      : Failure(failed("a call", "has failed", "execution.result"));
    });
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->rules, "execution.result");
    EXPECT_EQ(calls, kActions / 2);
}

}  // namespace
}  // namespace nn::testing
