// The declarations of the versioned interfaces.
#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <type_traits>

#include "nnapi/convert.h"
#include "nnapi/hal/hidl/message_queue.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::driver_interfaces_test {
namespace {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::MQDescriptorSync;
using hidl::Return;
using hidl::sp;

// ---- signatures: each method, its arguments, and its result or those of its callback

template <class Interface, class Result, class... Arguments>
constexpr bool hasMethod(Result (Interface::*)(Arguments...)) {
    return true;
}
#define METHOD(Interface, name, Result, ...) \
    static_assert(hasMethod<Interface, Return<Result>, ##__VA_ARGS__>(&Interface::name))
#define RESULTS(Interface, name, ...) \
    static_assert(std::is_same_v<Interface::name##_cb, std::function<void(__VA_ARGS__)>>)

using Caches = const hidl_vec<hidl_handle>&;
using Token = const V1_2::HidlToken&;

// Rule hidl.v1_0.
RESULTS(V1_0::IDevice, getCapabilities, V1_0::ErrorStatus, const V1_0::Capabilities&);
RESULTS(V1_0::IDevice, getSupportedOperations, V1_0::ErrorStatus, const hidl_vec<bool>&);
METHOD(V1_0::IDevice, getCapabilities, void, V1_0::IDevice::getCapabilities_cb);
METHOD(V1_0::IDevice, getSupportedOperations, void, const V1_0::Model&,
       V1_0::IDevice::getSupportedOperations_cb);
METHOD(V1_0::IDevice, prepareModel, V1_0::ErrorStatus, const V1_0::Model&,
       const sp<V1_0::IPreparedModelCallback>&);
METHOD(V1_0::IDevice, getStatus, V1_0::DeviceStatus);
METHOD(V1_0::IPreparedModel, execute, V1_0::ErrorStatus, const V1_0::Request&,
       const sp<V1_0::IExecutionCallback>&);

// Rule hidl.v1_1.
RESULTS(V1_1::IDevice, getCapabilities_1_1, V1_0::ErrorStatus, const V1_1::Capabilities&);
RESULTS(V1_1::IDevice, getSupportedOperations_1_1, V1_0::ErrorStatus, const hidl_vec<bool>&);
METHOD(V1_1::IDevice, prepareModel_1_1, V1_0::ErrorStatus, const V1_1::Model&,
       V1_1::ExecutionPreference, const sp<V1_0::IPreparedModelCallback>&);

// Rule hidl.v1_2.
RESULTS(V1_2::IDevice, getVersionString, V1_0::ErrorStatus, const hidl_string&);
RESULTS(V1_2::IDevice, getType, V1_0::ErrorStatus, V1_2::DeviceType);
RESULTS(V1_2::IDevice, getCapabilities_1_2, V1_0::ErrorStatus, const V1_2::Capabilities&);
RESULTS(V1_2::IDevice, getSupportedExtensions, V1_0::ErrorStatus, const hidl_vec<V1_2::Extension>&);
RESULTS(V1_2::IDevice, getNumberOfCacheFilesNeeded, V1_0::ErrorStatus, uint32_t, uint32_t);
METHOD(V1_2::IDevice, prepareModel_1_2, V1_0::ErrorStatus, const V1_2::Model&,
       V1_1::ExecutionPreference, Caches, Caches, Token, const sp<V1_2::IPreparedModelCallback>&);
METHOD(V1_2::IDevice, prepareModelFromCache, V1_0::ErrorStatus, Caches, Caches, Token,
       const sp<V1_2::IPreparedModelCallback>&);
METHOD(V1_2::IPreparedModel, execute_1_2, V1_0::ErrorStatus, const V1_0::Request&,
       V1_2::MeasureTiming, const sp<V1_2::IExecutionCallback>&);
RESULTS(V1_2::IPreparedModel, executeSynchronously, V1_0::ErrorStatus,
        const hidl_vec<V1_2::OutputShape>&, const V1_2::Timing&);
METHOD(V1_2::IPreparedModel, configureExecutionBurst, void, const sp<V1_2::IBurstCallback>&,
       const MQDescriptorSync<V1_2::FmqRequestDatum>&,
       const MQDescriptorSync<V1_2::FmqResultDatum>&,
       V1_2::IPreparedModel::configureExecutionBurst_cb);

// Rule hidl.v1_3.
RESULTS(V1_3::IDevice, getCapabilities_1_3, V1_3::ErrorStatus, const V1_3::Capabilities&);
RESULTS(V1_3::IDevice, getSupportedOperations_1_3, V1_3::ErrorStatus, const hidl_vec<bool>&);
METHOD(V1_3::IDevice, prepareModel_1_3, V1_3::ErrorStatus, const V1_3::Model&,
       V1_1::ExecutionPreference, V1_3::Priority, const V1_3::OptionalTimePoint&, Caches, Caches,
       Token, const sp<V1_3::IPreparedModelCallback>&);
METHOD(V1_3::IDevice, prepareModelFromCache_1_3, V1_3::ErrorStatus, const V1_3::OptionalTimePoint&,
       Caches, Caches, Token, const sp<V1_3::IPreparedModelCallback>&);
RESULTS(V1_3::IDevice, allocate, V1_3::ErrorStatus, const sp<V1_3::IBuffer>&, uint32_t);
METHOD(V1_3::IPreparedModel, execute_1_3, V1_3::ErrorStatus, const V1_3::Request&,
       V1_2::MeasureTiming, const V1_3::OptionalTimePoint&, const V1_3::OptionalTimeoutDuration&,
       const sp<V1_3::IExecutionCallback>&);
RESULTS(V1_3::IPreparedModel, executeFenced, V1_3::ErrorStatus, const hidl_handle&,
        const sp<V1_3::IFencedExecutionCallback>&);

// Rule hidl.inheritance.
static_assert(std::derived_from<V1_3::IDevice, V1_2::IDevice> &&
              std::derived_from<V1_2::IDevice, V1_1::IDevice> &&
              std::derived_from<V1_1::IDevice, V1_0::IDevice>);
static_assert(std::derived_from<V1_3::IPreparedModel, V1_2::IPreparedModel> &&
              std::derived_from<V1_2::IPreparedModel, V1_0::IPreparedModel>);

// Rule hidl.callbacks.
METHOD(V1_0::IPreparedModelCallback, notify, void, V1_0::ErrorStatus,
       const sp<V1_0::IPreparedModel>&);
METHOD(V1_2::IPreparedModelCallback, notify_1_2, void, V1_0::ErrorStatus,
       const sp<V1_2::IPreparedModel>&);
METHOD(V1_3::IPreparedModelCallback, notify_1_3, void, V1_3::ErrorStatus,
       const sp<V1_3::IPreparedModel>&);
METHOD(V1_0::IExecutionCallback, notify, void, V1_0::ErrorStatus);
METHOD(V1_2::IExecutionCallback, notify_1_2, void, V1_0::ErrorStatus,
       const hidl_vec<V1_2::OutputShape>&, const V1_2::Timing&);
METHOD(V1_3::IExecutionCallback, notify_1_3, void, V1_3::ErrorStatus,
       const hidl_vec<V1_2::OutputShape>&, const V1_2::Timing&);

// Rules hidl.v1_3_callbacks and hidl.burst_callbacks.
RESULTS(V1_3::IFencedExecutionCallback, getExecutionInfo, V1_3::ErrorStatus, const V1_2::Timing&,
        const V1_2::Timing&);
METHOD(V1_3::IBuffer, copyTo, V1_3::ErrorStatus, const hidl_memory&);
METHOD(V1_3::IBuffer, copyFrom, V1_3::ErrorStatus, const hidl_memory&, const hidl_vec<uint32_t>&);
RESULTS(V1_2::IBurstCallback, getMemories, V1_0::ErrorStatus, const hidl_vec<hidl_memory>&);
METHOD(V1_2::IBurstContext, freeMemory, void, int32_t);

// Rule hidl.statuses: error codes that older versions do not define.
TEST(Interfaces, CodesOfTheOlderVersionsEndAtFour) {
    for (int code = 0; code <= 4; ++code) {
        EXPECT_TRUE(convert(static_cast<V1_0::ErrorStatus>(code)).ok()) << code;
    }
    for (int code = 5; code <= 8; ++code) {
        EXPECT_FALSE(convert(static_cast<V1_0::ErrorStatus>(code)).ok()) << code;
        EXPECT_TRUE(convert(static_cast<V1_3::ErrorStatus>(code)).ok()) << code;
    }
    EXPECT_FALSE(convert(static_cast<V1_3::ErrorStatus>(9)).ok());
}

// Rule deadline.arithmetic.
TEST(Interfaces, DeadlinesSaturate) {
    constexpr auto kShort = std::chrono::milliseconds(5);
    const TimePoint before = Clock::now();
    EXPECT_GE(makeDeadline(kShort), before + kShort);
    EXPECT_EQ(makeDeadline(Duration::max()), TimePoint::max());
    EXPECT_LE(makeDeadline(Duration::min()), before);
    EXPECT_TRUE(hasDeadlinePassed(before)) << "now or later is past";
    EXPECT_TRUE(hasDeadlinePassed(TimePoint{}));
    EXPECT_FALSE(hasDeadlinePassed(makeDeadline(std::chrono::hours(1))));
    EXPECT_FALSE(hasDeadlinePassed(TimePoint::max()));
    EXPECT_FALSE(hasDeadlinePassed(std::nullopt));
}

}  // namespace
}  // namespace nn::driver_interfaces_test
