// Wrong answers that look like a missing feature, or like one of several codes that are allowed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "device_testing/bugs/bugs.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"
#include "nnapi/testing/device_test.h"

namespace nn::device_testing_test {
namespace {

using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;

DeviceOutcome outcomeOn(const SharedDevice& device, const std::string& name) {
    const auto cases = nn::testing::listCases({.randomModels = 0});
    const auto found = std::ranges::find(cases, name, &DeviceCase::name);
    return found == cases.end() ? DeviceOutcome() : nn::testing::runCase(device, *found);
}

// Rule 12: a buffer without a token is no lack of memory, although its wrapper has the same code.
TEST(WrongAnswers, BuffersWithoutAToken) {
    for (const auto bug : {bugs::Bug::token_zero, bugs::Bug::aidl_token_zero}) {
        const auto device = bugs::openDevice(bug);
        ASSERT_TRUE(device.has_value());
        EXPECT_EQ(toString(outcomeOn(*device, "memory/tokens")),
                  "allocate: GENERAL_FAILURE: the buffer's token is 0, which names no buffer [rule "
                  "12]");
    }
}

// Says of each deadline that is past that another time may be better.
class HopefulDevice final : public ForwardingDevice {
   public:
    HopefulDevice() : ForwardingDevice(referenceDevice()) {}

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        if (deadline && Clock::now() >= *deadline) {
            return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << "try later";
        }
        return inner()->prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                     token, hints, prefixes);
    }
};

// Rule 203.
TEST(WrongAnswers, PastDeadlinesThatAreMissedForNow) {
    const auto device = std::make_shared<const HopefulDevice>();
    EXPECT_EQ(toString(outcomeOn(device, "deadlines/prepare/past")),
              "prepareModel: MISSED_DEADLINE_TRANSIENT: try later, expected "
              "MISSED_DEADLINE_PERSISTENT [rule 203]");
    EXPECT_EQ(toString(outcomeOn(device, "deadlines/prepare/now")), "passed");
    EXPECT_EQ(toString(outcomeOn(*bugs::openDevice(bugs::Bug::deadline_past_accepted),
                                 "deadlines/prepare/past")),
              "prepareModel: succeeds, expected MISSED_DEADLINE_PERSISTENT [rule 203]");
    EXPECT_EQ(toString(outcomeOn(*bugs::openDevice(bugs::Bug::deadline_ignored),
                                 "deadlines/prepare/past")),
              "passed");
    EXPECT_EQ(toString(outcomeOn(referenceDevice(), "deadlines/prepare/past")), "passed");
}

}  // namespace
}  // namespace nn::device_testing_test
