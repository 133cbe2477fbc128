// The kinds "protocol" and "time": errors that a strict client finds in drivers and wrappers
// tolerate, and behavior that it permits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "device_test/bugs/bugs.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/forwarding.h"
#include "nnapi/hal/hidl/forwarding.h"

namespace nn::protocol_test {
namespace {

using bugs::Bug;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;
using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DeviceOutcome run(const SharedDevice& device, const std::string& name,
                  Duration patience = std::chrono::seconds(20)) {
    for (const DeviceCase& one : nn::testing::listCases({.patience = patience})) {
        if (one.name == name) return nn::testing::runCase(device, one);
    }
    ADD_FAILURE() << "there is no case " << name;
    return {};
}

std::vector<DeviceCase> protocolCases() {
    std::vector<DeviceCase> cases;
    for (DeviceCase& one : nn::testing::listCases()) {
        if (one.kind == "protocol") cases.push_back(std::move(one));
    }
    return cases;
}

void expectNoFailures(const SharedDevice& device, const std::string& what) {
    for (const DeviceCase& one : protocolCases()) {
        const DeviceOutcome outcome = nn::testing::runCase(device, one);
        EXPECT_NE(outcome.result, DeviceOutcome::Result::FAILED)
                << what << " " << one.name << ": " << toString(outcome);
    }
}

// ---- the catalog

struct Row {
    Bug bug;
    const char* name;   // of the case
    const char* found;  // the message, or its beginning
    const char* rules;
    Bug alsoAidl = Bug::none;  // the same bug of an AIDL driver
};

constexpr char kOnce[] = "hidl.one_notification, protocol.notified_once";
constexpr char kShapes[] =
        "execution.shapes, execution.insufficient_shapes, execution.failure_shapes, "
        "protocol.shapes";

// Rules protocol.due_method, protocol.launch_status, protocol.notified_model,
// protocol.answered_once, protocol.codes, protocol.shapes, protocol.times,
// protocol.released_callback, protocol.legality, protocol.fenced, protocol.execution_info,
// protocol.tokens, protocol.burst_context, protocol.burst_packet, protocol.burst_memories,
// protocol.aidl_errors, protocol.aidl_insufficient, protocol.aidl_null and protocol.reentrant.
const Row kRows[] = {
        {Bug::notifies_twice_execution, "execute",
         "execute: notified twice: first NONE by notify, ", kOnce},
        {Bug::notifies_twice_preparation, "prepare",
         "prepareModel: notified twice: first NONE by notify, ", kOnce, Bug::aidl_notifies_twice},
        {Bug::never_notifies_error, "prepare_refused",
         "prepareModel: returned INVALID_ARGUMENT and notified nothing in ", kOnce,
         Bug::aidl_never_notifies_error},
        {Bug::never_notifies_error_execution, "execute_refused",
         "execute: returned INVALID_ARGUMENT and notified nothing in ", kOnce},
        {Bug::never_notifies, "prepare", "prepareModel: returned NONE and notified nothing in ",
         kOnce},
        {Bug::launch_status_differs, "prepare_refused",
         "prepareModel: returned INVALID_ARGUMENT and notified GENERAL_FAILURE; ",
         "hidl.refused_launch, protocol.launch_status", Bug::aidl_launch_status_differs},
        {Bug::notifies_null_with_none, "prepare", "prepareModel: notified NONE with null; ",
         "hidl.notified_model, protocol.notified_model", Bug::aidl_null_with_none},
        {Bug::notifies_none_returns_error, "prepare",
         "prepareModel_1_1: returned GENERAL_FAILURE and notified NONE; ",
         "hidl.refused_launch, protocol.launch_status"},
        {Bug::refuses_launch_notifies_none, "execute_refused",
         "execute: returns NONE for an argument that is not legal, expected an error",
         "protocol.legality"},
        {Bug::answers_synchronous_twice, "execute",
         "executeSynchronously: called back twice: first NONE, ",
         "callback.synchronous, protocol.answered_once"},
        {Bug::synchronous_never_answers, "execute",
         "executeSynchronously: returned without a result, expected exactly one",
         "callback.synchronous, protocol.answered_once"},
        {Bug::notifies_older_method, "prepare",
         "prepareModel_1_2: notified NONE by notify, where notify_1_2 is due",
         "hidl.callbacks, protocol.due_method"},
        {Bug::notifies_older_method_execution, "execute",
         "execute_1_3: notified NONE by notify_1_2, where notify_1_3 is due",
         "hidl.callbacks, protocol.due_method"},
        {Bug::notifies_model_with_error, "prepare_refused",
         "prepareModel_1_2: notified INVALID_ARGUMENT with a prepared model; ",
         "hidl.notified_model, protocol.notified_model"},
        {Bug::error_code_of_1_3, "execute_refused",
         "executeSynchronously: returned MISSED_DEADLINE_TRANSIENT, allowed are NONE to "
         "INVALID_ARGUMENT, the codes of HAL 1.2",
         "hidl.statuses, protocol.codes"},
        {Bug::insufficient_without_shapes, "insufficient",
         "executeSynchronously: returns OUTPUT_INSUFFICIENT_SIZE with 0 output shapes, ", kShapes},
        {Bug::shapes_with_error, "execute_refused",
         "executeSynchronously: returns INVALID_ARGUMENT with 1 output shapes, ", kShapes},
        {Bug::timing_zero_unmeasured, "execute",
         "executeSynchronously: returns NONE with the times 0 and 0; ",
         "execution.unmeasured, hidl.absent_timing, protocol.times", Bug::aidl_timing_zero},
        {Bug::burst_null_with_none, "burst", "configureExecutionBurst: returns NONE with null; ",
         "burst.configuration, protocol.burst_context"},
        {Bug::burst_result_count, "burst",
         "a request of the burst: the reply is a packet of 2 datums that is not one result: ",
         "burst.packet_format, protocol.burst_packet"},
        {Bug::burst_keeps_freed_slot, "burst",
         "a request of the burst after freeMemory: goes on using the memory that slot 0 had before",
         "burst.released_slot, protocol.burst_memories"},
        {Bug::fenced_callback_null, "fenced",
         "executeFenced: returns NONE with a null callback and no fence; ",
         "hidl.failed_fenced, protocol.fenced", Bug::aidl_fenced_callback_null},
        {Bug::fenced_error_with_callback, "fenced",
         "executeFenced: returns INVALID_ARGUMENT with a callback object and no fence; ",
         "hidl.failed_fenced, protocol.fenced"},
        {Bug::fenced_info_before_signal, "fenced",
         "getExecutionInfo: returns NONE before the fence is signaled, expected GENERAL_FAILURE",
         "fenced.early_callback, protocol.execution_info"},
        {Bug::token_zero, "allocate", "allocate: returns NONE with a buffer and token 0; ",
         "buffer.token, hidl.failed_allocate, protocol.tokens", Bug::aidl_token_zero},
        {Bug::keeps_callback, "prepare", "prepareModel: the driver keeps the callback ",
         "protocol.released_callback"},
        {Bug::locks_while_notifying, "reentrant",
         "a call of the device during a notification: does not return before the callback does",
         "protocol.reentrant", Bug::aidl_locks_while_notifying},
        {Bug::supports_answers_none, "support",
         "getSupportedOperations_1_2: returns NONE for an argument that is not legal, expected an "
         "error",
         "protocol.legality"},
        {Bug::aidl_insufficient_as_error, "insufficient",
         "executeSynchronously: fails with OUTPUT_INSUFFICIENT_SIZE; ",
         "aidl.insufficient_size, protocol.aidl_insufficient"},
        {Bug::aidl_error_without_code, "execute_refused",
         "executeSynchronously: fails with exception -5", "aidl.failures, protocol.aidl_errors"},
        {Bug::aidl_burst_null, "burst", "configureExecutionBurst: succeeds with a null burst",
         "protocol.aidl_null"},
        {Bug::aidl_burst_ignores_release, "burst",
         "an execution of the burst after releaseMemoryResource: ",
         "aidl.burst_tokens, protocol.burst_memories"},
        {Bug::aidl_interface_version, "prepare",
         "prepareModelWithConfig: is not known to a driver whose getInterfaceVersion has it",
         "aidl.version_4, protocol.aidl_version"},
        {Bug::aidl_reusable_null, "execute",
         "createReusableExecution: createReusableExecution succeeds with null",
         "protocol.aidl_null"},
};

bool isSilent(Bug bug) {
    return bug == Bug::never_notifies || bug == Bug::never_notifies_error ||
           bug == Bug::never_notifies_error_execution || bug == Bug::aidl_never_notifies_error ||
           bug == Bug::locks_while_notifying || bug == Bug::aidl_locks_while_notifying;
}

TEST(Protocol, FindsEachBugOfTheCatalog) {
    std::set<Bug> tested;
    const auto expectFound = [&](Bug bug, const Row& row) {
        SCOPED_TRACE(bugs::rowOf(bug).name);
        tested.insert(bug);
        const auto device = bugs::openDevice(bug);
        ASSERT_TRUE(device.has_value());
        // A short wait where nothing comes.
        const Duration patience = isSilent(bug) ? milliseconds(200) : std::chrono::seconds(20);
        const DeviceOutcome outcome = run(*device, std::string("protocol/") + row.name, patience);
        EXPECT_THAT(toString(outcome), ::testing::StartsWith(row.found));
        EXPECT_EQ(outcome.rules, row.rules);
        EXPECT_EQ(outcome.result, DeviceOutcome::Result::FAILED);
    };
    for (const Row& row : kRows) {
        expectFound(row.bug, row);
        if (row.alsoAidl != Bug::none) expectFound(row.alsoAidl, row);
    }
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (row.family != "PROTOCOL" || row.isPermitted) continue;
        EXPECT_TRUE(tested.contains(row.bug)) << row.name;
    }
}

// A driver of a version only has the interfaces of its row and the older ones.
TEST(Bugs, ShowTheirOwnVersion) {
    const sp<V1_0::IDevice> driver = bugs::hidlDriver(Bug::notifies_twice_execution);
    EXPECT_EQ(sp<V1_1::IDevice>(V1_1::IDevice::castFrom(driver)), nullptr);
    EXPECT_EQ((*bugs::openDevice(Bug::notifies_older_method))->getFeatureLevel(),
              kVersionFeatureLevel3);
    EXPECT_EQ((*bugs::openDevice(Bug::aidl_token_zero))->getFeatureLevel(), kVersionFeatureLevel7);
}

TEST(Protocol, ReportsBothNotificationsAndTheTimeBetween) {
    const auto device = bugs::openDevice(Bug::notifies_twice_execution);
    EXPECT_THAT(
            toString(run(*device, "protocol/execute")),
            ::testing::MatchesRegex(
                    "execute: notified twice: first NONE by notify, [0-9]+\\.[0-9] ms later NONE "
                    "by notify; each launch is notified exactly once \\[hidl.one_notification, "
                    "protocol.notified_once\\]"));
}

TEST(Protocol, IsSilentWhereTheHalPermits) {
    for (const bugs::BugRow& row : bugs::catalog()) {
        if (!row.isPermitted || row.family != "PROTOCOL") continue;
        expectNoFailures(*bugs::openDevice(row.bug), std::string(row.name));
    }
}

// ---- drivers without a bug

TEST(Protocol, IsSilentForEachVersionOfADriver) {
    const auto hidl = sp<V1_3::IDevice>(V1_3::IDevice::castFrom(bugs::hidlDriver(Bug::none)));
    const auto reference = hal::adapter::adapt(referenceDevice({.fencedThreads = 2})).value();
    for (const sp<V1_3::IDevice>& driver : {hidl, reference}) {
        expectNoFailures(*V1_0::utils::Device::create("1.0", driver), "1.0");
        expectNoFailures(*V1_1::utils::Device::create("1.1", driver), "1.1");
        expectNoFailures(*V1_2::utils::Device::create("1.2", driver), "1.2");
        expectNoFailures(*V1_3::utils::Device::create("1.3", driver), "1.3");
    }
    expectNoFailures(*wrap("aidl", bugs::aidlDriver(Bug::none)), "aidl");
    for (const HalVersion version :
         {HalVersion::AIDL1, HalVersion::AIDL2, HalVersion::AIDL3, HalVersion::AIDL4}) {
        const auto aidl = hal::adapter::adaptAidl(referenceDevice({.fencedThreads = 2}), version);
        expectNoFailures(*wrap("aidl", *aidl), std::string(toString(version)));
    }
}

TEST(Protocol, RunsEveryCaseOnTheNewestVersions) {
    const SharedDevice devices[] = {
            wrap("1.3", hal::adapter::adapt(referenceDevice()).value()).value(),
            wrap("aidl4", hal::adapter::adaptAidl(referenceDevice()).value()).value()};
    for (const SharedDevice& device : devices) {
        for (const DeviceCase& one : protocolCases()) {
            EXPECT_EQ(toString(nn::testing::runCase(device, one)), "passed")
                    << device->getName() << " " << one.name;
        }
    }
}

TEST(Protocol, CanonicalDevicesHaveNone) {
    for (const DeviceCase& one : protocolCases()) {
        const DeviceOutcome outcome = nn::testing::runCase(referenceDevice(), one);
        EXPECT_EQ(outcome.result, DeviceOutcome::Result::NOT_SUPPORTED) << one.name;
        EXPECT_THAT(outcome.message, HasSubstr("the device is canonical")) << one.name;
    }
}

// ---- the driver behind a device

TEST(WrappedDriver, IsThatOfTheWrapperBehindDevicesThatForward) {
    const auto driver = hal::adapter::adapt(referenceDevice()).value();
    const SharedDevice wrapped = V1_2::utils::Device::create("1.2", driver).value();
    const SharedDevice forwarding = std::make_shared<const ForwardingDevice>(wrapped);
    for (const SharedDevice& device : {wrapped, forwarding}) {
        const WrappedDriver found = wrappedDriver(device);
        EXPECT_EQ(found.hidl, driver);
        EXPECT_EQ(found.version, HalVersion::V1_2);
        EXPECT_EQ(found.aidl, nullptr);
    }
    const auto aidl = hal::adapter::adaptAidl(referenceDevice(), HalVersion::AIDL3).value();
    const WrappedDriver found = wrappedDriver(wrap("aidl3", aidl).value());
    EXPECT_EQ(found.aidl, aidl);
    EXPECT_EQ(found.version, HalVersion::AIDL3);
    for (const SharedDevice& none : {referenceDevice(), SharedDevice()}) {
        EXPECT_EQ(wrappedDriver(none).hidl, nullptr);
        EXPECT_EQ(wrappedDriver(none).aidl, nullptr);
    }
}

// Errors that the catalog does not have.
enum class Oddity { STATUS, TYPE, UNLINK, NULL_CALLBACK, HASH };

class OddHidl final : public hal::ForwardingHidlDevice {
   public:
    OddHidl(sp<V1_3::IDevice> driver, Oddity oddity)
        : ForwardingHidlDevice(std::move(driver)), mOddity(oddity) {}

    Return<V1_0::DeviceStatus> getStatus() override {
        if (mOddity == Oddity::STATUS) return static_cast<V1_0::DeviceStatus>(9);
        return inner()->getStatus();
    }
    Return<void> getType(getType_cb callback) override {
        if (mOddity != Oddity::TYPE || mTypes++ == 0) return inner()->getType(callback);
        callback(V1_0::ErrorStatus::NONE, static_cast<V1_2::DeviceType>(17));
        return hidl::Void();
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        if (mOddity == Oddity::UNLINK) return false;
        return inner()->unlinkToDeath(recipient);
    }
    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override {
        if (mOddity == Oddity::NULL_CALLBACK && callback == nullptr) {
            return V1_0::ErrorStatus::NONE;
        }
        return inner()->prepareModel(model, callback);
    }

   private:
    const Oddity mOddity;
    int mTypes = 0;
};

class OddAidl final : public hal::ForwardingAidlDevice {
   public:
    OddAidl(std::shared_ptr<aidl_hal::IDevice> driver, Oddity oddity)
        : ForwardingAidlDevice(std::move(driver)), mOddity(oddity) {}

    ::ndk::ScopedAStatus getType(aidl_hal::DeviceType* type) override {
        auto status = inner()->getType(type);
        if (mOddity == Oddity::TYPE && mTypes++ != 0) *type = static_cast<aidl_hal::DeviceType>(17);
        return status;
    }
    ::ndk::ScopedAStatus getInterfaceHash(std::string* hash) override {
        if (mOddity != Oddity::HASH) return inner()->getInterfaceHash(hash);
        hash->clear();
        return ::ndk::ScopedAStatus::ok();
    }
    ::ndk::ScopedAStatus prepareModel(
            const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
            aidl_hal::Priority priority, int64_t deadline,
            const std::vector<::ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<::ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override {
        if (mOddity == Oddity::NULL_CALLBACK && callback == nullptr) {
            return ::ndk::ScopedAStatus::ok();
        }
        return inner()->prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                     token, callback);
    }

   private:
    const Oddity mOddity;
    int mTypes = 0;
};

// Rules protocol.null_callback, protocol.getters, protocol.death and protocol.aidl_version.
TEST(Protocol, FindsOddResults) {
    const struct {
        Oddity oddity;
        bool isAidl;
        const char* name;
        const char* found;
    } kOddities[] = {
            {Oddity::STATUS, false, "getters",
             "getStatus: returns 9, allowed are 0 to 3 [hidl.v1_0, protocol.getters]"},
            {Oddity::TYPE, false, "getters",
             "getType: returns NONE with a value out of range [protocol.getters]"},
            {Oddity::UNLINK, false, "death",
             "unlinkToDeath: returns false for a living object and a recipient "
             "[hidl.death_recipient, protocol.death]"},
            {Oddity::NULL_CALLBACK, false, "null_callback",
             "prepareModel: returns NONE for a null callback, expected INVALID_ARGUMENT "
             "[adapter.failed_preparation, protocol.null_callback]"},
            {Oddity::TYPE, true, "getters",
             "getType: returns a value out of range [protocol.getters]"},
            {Oddity::NULL_CALLBACK, true, "null_callback",
             "prepareModel: succeeds for a null callback, expected INVALID_ARGUMENT "
             "[adapter.failed_preparation, protocol.null_callback]"},
            {Oddity::HASH, true, "getters",
             "getInterfaceHash: is empty; an interface in work has \"notfrozen\" "
             "[protocol.aidl_version]"},
    };
    for (const auto& row : kOddities) {
        const auto hidl =
                sp<OddHidl>::make(hal::adapter::adapt(referenceDevice()).value(), row.oddity);
        const auto aidl = ::ndk::SharedRefBase::make<OddAidl>(
                hal::adapter::adaptAidl(referenceDevice()).value(), row.oddity);
        const SharedDevice device =
                row.isAidl ? wrap("odd", std::shared_ptr<aidl_hal::IDevice>(aidl)).value()
                           : wrap("odd", sp<V1_0::IDevice>(hidl)).value();
        EXPECT_EQ(toString(run(device, std::string("protocol/") + row.name)), row.found);
    }
}

// ---- time

// Rules time.within_call and time.grows.
TEST(Time, FindsDurationsOfAnotherUnit) {
    const struct {
        Bug bug;
        const char* found;
        const char* rules;
    } kTimes[] = {
            {Bug::time_too_long, " in the driver, but its client waited for ",
             "execution.timing, time.within_call"},
            {Bug::time_constant, " in the driver, but its client waited for ",
             "execution.timing, time.within_call"},
            {Bug::time_since_boot, " in the driver, but its client waited for ",
             "execution.timing, time.within_call"},
            {Bug::time_too_short, "in the wrong unit?", "time.grows"},
    };
    for (const auto& row : kTimes) {
        const DeviceOutcome outcome = run(bugs::canonicalDriver(row.bug), "time/growing/sync");
        EXPECT_THAT(outcome.message, HasSubstr(row.found)) << bugs::rowOf(row.bug).name;
        EXPECT_EQ(outcome.rules, row.rules) << bugs::rowOf(row.bug).name;
    }
    for (const char* path : {"sync", "reusable", "burst", "fenced"}) {
        EXPECT_EQ(toString(run(bugs::canonicalDriver(Bug::none),
                               std::string("time/growing/") + path)),
                  "passed")
                << path;
    }
}

// Rule fenced.deadlines.
TEST(Time, FindsLimitsThatCountFromTheCall) {
    const DeviceOutcome outcome = run(bugs::canonicalDriver(Bug::timeout_after_fence_ignored),
                                      "execution/time_after_late_fence");
    EXPECT_EQ(toString(outcome),
              "executeFenced: misses its time limit of 500 ms after a fence that was signaled 700 "
              "ms after the call: counts it from the call [fenced.deadlines]");
    EXPECT_EQ(toString(run(bugs::canonicalDriver(Bug::none), "execution/time_after_late_fence")),
              "passed");
}

// Rule execution.loop_timeout: such a loop ends after 15 s.
TEST(Time, FindsLimitsOfLoopsThatAreIgnored) {
    EXPECT_THAT(toString(run(bugs::canonicalDriver(Bug::loop_timeout_ignored),
                             "deadlines/loop_timeout/sync")),
                ::testing::MatchesRegex("execute: ends an endless loop after 1[0-9] s, allowed 1 "
                                        "ms of the loop \\[execution.loop_timeout\\]"));
}

// Rule time.ignored_deadline: a note, not a failure.
TEST(Time, NotesDeadlinesThatAreIgnored) {
    DeviceOutcome outcome;
    // The case needs a long execution twice; the machine may be faster the second time.
    for (int i = 0; i < 10 && outcome.remarks.empty(); ++i) {
        outcome = run(bugs::canonicalDriver(Bug::deadline_ignored), "time/deadline/sync");
        EXPECT_EQ(toString(outcome), "passed");
    }
    EXPECT_THAT(outcome.remarks,
                ElementsAre(AllOf(HasSubstr("after its deadline, which it ignores"),
                                  HasSubstr("[time.ignored_deadline]"))));
    EXPECT_THAT(run(referenceDevice(), "time/deadline/sync").remarks, IsEmpty());
}

}  // namespace
}  // namespace nn::protocol_test
