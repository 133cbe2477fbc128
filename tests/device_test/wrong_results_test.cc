// Wrong results that look like a missing feature, or like permitted behavior.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "device_test/bugs/bugs.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/reference.h"

namespace nn::device_test_test {
namespace {

using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;

DeviceOutcome outcomeOn(const SharedDevice& device, const std::string& name) {
    auto cases = nn::testing::listCases({.randomModels = 0});
    for (const auto& testCase : nn::testing::builtInTestCases()) {
        for (auto& one : nn::testing::listCases(testCase)) cases.push_back(std::move(one));
    }
    const auto found = std::ranges::find(cases, name, &DeviceCase::name);
    if (found != cases.end()) return nn::testing::runCase(device, *found);
    ADD_FAILURE() << "there is no case " << name;
    return {};
}

// Rule buffer.token: a buffer without a token is no lack of memory, although its wrapper has the
// same code.
TEST(WrongResults, BuffersWithoutAToken) {
    for (const auto bug : {bugs::Bug::token_zero, bugs::Bug::aidl_token_zero}) {
        const auto device = bugs::openDevice(bug);
        ASSERT_TRUE(device.has_value());
        EXPECT_EQ(toString(outcomeOn(*device, "memory/tokens")),
                  "allocate: GENERAL_FAILURE: the buffer's token is 0, which names no buffer "
                  "[buffer.token]");
    }
}

// Rule deadline.past: whatever is permitted after the begin of a call, a deadline that is past
// before it is missed.
TEST(WrongResults, PastDeadlinesThatAreAccepted) {
    const auto accepting = bugs::openDevice(bugs::Bug::deadline_past_accepted);
    const auto ignoring = bugs::openDevice(bugs::Bug::deadline_ignored);
    ASSERT_TRUE(accepting.has_value() && ignoring.has_value());
    constexpr std::string_view kExpected =
            "succeeds, expected MISSED_DEADLINE_TRANSIENT or MISSED_DEADLINE_PERSISTENT "
            "[deadline.past]";
    EXPECT_EQ(toString(outcomeOn(*accepting, "deadlines/prepare/past")),
              fmt::format("prepareModel: {}", kExpected));
    EXPECT_EQ(toString(outcomeOn(*accepting, "deadlines/past/sync")),
              fmt::format("execute: {}", kExpected));
    for (const char* name : {"deadlines/prepare/past", "deadlines/past/sync"}) {
        EXPECT_EQ(toString(outcomeOn(*ignoring, name)), "passed") << name;
        EXPECT_EQ(toString(outcomeOn(referenceDevice(), name)), "passed") << name;
    }
}

}  // namespace
}  // namespace nn::device_test_test
