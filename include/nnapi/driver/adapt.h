// nnapi/driver/adapt.h -- Offers a canonical device as a driver of HAL 1.0 to 1.3 or AIDL 1 to 4.
//
//   nn::GeneralResult<nn::hidl::sp<nn::V1_3::IDevice>> driver = nn::hal::adapter::adapt(device);
//   if (!driver.has_value()) return driver.status();
//   nn::hidl::sp<nn::V1_0::IDevice> older = *driver;   // it implements the methods of all versions
//
// Arguments are converted with validation. Every asynchronous call notifies its callback exactly
// once, even if the executor drops the task. Values that a version cannot represent (error codes,
// shapes, timings) are dropped and reported to the listener, before the result is delivered and on
// the same thread. A device that throws or returns null, an unknown value or an illegal result is
// reported as GENERAL_FAILURE; timings that were not requested are dropped. A device may be older
// than the offered version: getSupportedOperations queries it only for operations that it can
// represent, and reports the others as not supported. docs/driver_calls.md shows the order of
// calls. Thread-safe.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "nnapi/driver/wrap.h"

namespace nn::hal::adapter {

// A unit of work, and an executor that runs it: called by any number of threads at once, it runs
// each task once, on any thread, now or later. If it drops the task or throws, the caller gets
// GENERAL_FAILURE. `deadline` is that of the call.
using Task = std::function<void()>;
using Executor = std::function<void(Task task, OptionalTimePoint deadline)>;

// Options of adapters.
struct AdaptOptions {
    // If empty, the adapter has threads of its own, which end with the last of the device, its
    // prepared models and pending calls.
    Executor executor{};
    size_t numberOfThreads = 4;  // at most, without an executor; at least 1
    LossListener onLoss{};       // may be empty; called on the thread that delivers the result
    // Bursts: how long to poll a queue before blocking.
    std::chrono::microseconds burstPollingTimeWindow{0};
    // Logs the calls of clients (DRIVER).
    SharedLog log{};
};

// Offers a device as HAL 1.3 (and older, by inheritance). INVALID_ARGUMENT for null. A prepared
// model keeps the last request whose pools own their descriptors, and that request's memory, until
// the next such request or its own end. The adapter keeps the device alive, but not the prepared
// models, bursts and buffers that it returns; allocate() accepts only prepared models of the same
// adapter.
GeneralResult<hidl::sp<V1_3::IDevice>> adapt(SharedDevice device, AdaptOptions options = {});
// The same with an executor, which must not be empty, and the default options.
GeneralResult<hidl::sp<V1_3::IDevice>> adaptWith(SharedDevice device, Executor executor);
// A template, so that options in braces never convert to an executor.
template <std::convertible_to<Executor> AnyExecutor>
GeneralResult<hidl::sp<V1_3::IDevice>> adapt(SharedDevice device, AnyExecutor executor) {
    return adaptWith(std::move(device), std::move(executor));
}

}  // namespace nn::hal::adapter

namespace nn::hal {
namespace adapter NNAPI_BINDING {

// Offers a device as an AIDL driver of a version: it reports that version, rejects newer models,
// and lacks later methods. Without a version, it is as new as the device: AIDL 1 to 4, and AIDL 1
// for a device of HAL 1.0 to 1.3. A failed call returns a service-specific error with code and
// reason; insufficient outputs are a regular result. getCapabilities or getType fails if the device
// has capabilities of OEM types or an unknown type, which AIDL cannot express. INVALID_ARGUMENT for
// null and for a HIDL version. With generated headers (docs/android.md) only AIDL 4 is possible:
// INVALID_ARGUMENT for an older version.
GeneralResult<std::shared_ptr<aidl_hal::IDevice>> adaptAidl(SharedDevice device,
                                                            std::optional<HalVersion> version = {},
                                                            AdaptOptions options = {});

}  // namespace NNAPI_BINDING
}  // namespace nn::hal

#ifndef NNAPI_HIDL_IS_GENERATED  // a revision that only this library describes
// HAL 1.3 as first published: without priorities, deadlines and device memory, and with the error
// codes of 1.0. Everything else is as in the final revision. The original used the same descriptor
// as the final revision; here it differs, so that castFrom() does not confuse them.
namespace nn::V1_3::early {

// A driver of the early revision. Methods without a comment are as in the final revision.
class IDevice : public V1_2::IDevice {
   public:
    NNAPI_HIDL_INTERFACE(IDevice, V1_2::IDevice,
                         "android.hardware.neuralnetworks@1.3-early::IDevice")

    // Receive a result, once and before the method returns.
    using getCapabilities_1_3_cb =
            std::function<void(V1_0::ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_1_3_cb = std::function<void(
            V1_0::ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;

    // As in the final revision, with the error codes of 1.0.
    virtual Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_3(const Model& model,
                                                    getSupportedOperations_1_3_cb callback) = 0;
    // As in the final revision, without priority and deadline; the callback is that of 1.2.
    virtual Return<V1_0::ErrorStatus> prepareModel_1_3(
            const Model& model, V1_1::ExecutionPreference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const HidlToken& token, const sp<V1_2::IPreparedModelCallback>& callback) = 0;
    virtual Return<V1_0::ErrorStatus> prepareModelFromCache_1_3(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const HidlToken& token, const sp<V1_2::IPreparedModelCallback>& callback) = 0;
};

}  // namespace nn::V1_3::early

namespace nn::hal::adapter {

// Converts between drivers of the final and the early revision. Towards an early driver, deadlines
// and priorities other than MEDIUM are dropped and reported to the listener, and allocate() fails
// with GENERAL_FAILURE. Null for null.
hidl::sp<V1_3::early::IDevice> toEarly(hidl::sp<V1_3::IDevice> driver);
hidl::sp<V1_3::IDevice> fromEarly(hidl::sp<V1_3::early::IDevice> driver, LossListener onLoss = {});

}  // namespace nn::hal::adapter
#endif
