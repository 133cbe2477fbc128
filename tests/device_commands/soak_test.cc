// Eight threads over all paths: every way to execute, memory of the device, caches; and the HAL
// interfaces of each version, whose executions are asynchronous.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_commands/hooked_device.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/registry.h"

namespace nn::device_commands_soak_test {
namespace {

using nn::testing::DeviceOutcome;

// Rules object.concurrency, burst.one_at_a_time, hidl.concurrency and device_test.stress.
// ThreadSanitizer finds here what threads do to one another.
TEST(Soak, EightThreadsOverAllPaths) {
    const DeviceRegistry registry({.reference = {.fencedThreads = 2}});
    for (const char* name : {"nnapi-reference", "nnapi-reference@1.0", "nnapi-reference@1.1",
                             "nnapi-reference@1.2", "nnapi-reference@1.3"}) {
        const auto device = registry.open(name);
        ASSERT_TRUE(device.has_value()) << name;
        size_t cases = 0;
        for (const auto& one : nn::testing::listCases()) {
            if (one.kind != "concurrency" && one.name != "cache/concurrently") continue;
            ++cases;
            const DeviceOutcome outcome = nn::testing::runCase(*device, one);
            EXPECT_NE(outcome.result, DeviceOutcome::Result::FAILED)
                    << name << ", " << one.name << ": " << nn::testing::toString(outcome);
        }
        EXPECT_EQ(cases, 11u);
    }
}

// A device without memory and caches of its own goes through the rest.
TEST(Soak, WithoutWhatADeviceMayLack) {
    const SharedDevice device = device_commands_test::hooked({});
    for (const auto& one : nn::testing::listCases()) {
        if (one.name != "concurrency/all_paths") continue;
        EXPECT_EQ(nn::testing::toString(nn::testing::runCase(device, one)), "passed");
    }
}

}  // namespace
}  // namespace nn::device_commands_soak_test
