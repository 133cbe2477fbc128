// nnapi/driver/adapt.h -- a canonical device offered as a driver of HAL 1.0 to 1.3, or AIDL 1 to 4.
//
//   nn::GeneralResult<nn::hidl::sp<nn::V1_3::IDevice>> driver = nn::hal::adapter::adapt(device);
//   if (!driver.has_value()) return driver.status();
//   nn::hidl::sp<nn::V1_0::IDevice> older = *driver;   // it answers the calls of all versions
//
// Arguments are converted with validation, and every asynchronous call is answered exactly once by
// its callback, whatever the executor does with the task. What a version cannot carry, such as
// codes of errors, shapes or timings, is lost on the way to an older callback and told to the
// listener, before the answer and on the thread that answers. A device that throws, answers null, a
// value that no version has or what no execution may answer, such as shapes that contradict the
// model, is answered for with GENERAL_FAILURE; times that nobody asked for are left out.
// A device may be older than the version: it is asked about the operations that it can carry, and
// supports none of the others. docs/drivers.md shows the calls in their order. Thread-safe.
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

// Work, and the moment by which its caller wants it done. An executor is called by any number of
// threads at once, and runs the task once, on any thread, now or later. A task that it drops, or
// that it refuses by an exception, answers its caller with GENERAL_FAILURE.
using Task = std::function<void()>;
using Executor = std::function<void(Task task, OptionalTimePoint deadline)>;

struct AdaptOptions {
    // Without one, the adapted device has threads of its own. They end with the last of the device,
    // its prepared models and the calls under way.
    Executor executor{};
    size_t numberOfThreads = 4;  // of its own, at most; at least 1
    LossListener onLoss{};
    // Bursts: how long to look at a queue before waiting for it.
    std::chrono::microseconds burstPollingTimeWindow{0};
    // Told of what clients have the device do (DRIVER).
    SharedLog log{};
};

// INVALID_ARGUMENT for null. A prepared model keeps the last request in which each pool came by a
// handle that owns its descriptors, and with it the memory of that one request, until another such
// request comes or the prepared model goes. The object keeps the device, and none of the prepared
// models, bursts and buffers that it gives out; allocate() takes prepared models of the same object
// only.
GeneralResult<hidl::sp<V1_3::IDevice>> adapt(SharedDevice device, AdaptOptions options = {});
GeneralResult<hidl::sp<V1_3::IDevice>> adaptWith(SharedDevice device, Executor executor);
// A template, so that options in braces are never taken for an executor.
template <std::convertible_to<Executor> AnyExecutor>
GeneralResult<hidl::sp<V1_3::IDevice>> adapt(SharedDevice device, AnyExecutor executor) {
    return adaptWith(std::move(device), std::move(executor));
}

// The same as a driver of a version of AIDL: it says that version, refuses models that are newer,
// and does not know the methods that came later. Without a version it is as new as the device says
// that it is: AIDL 1 to AIDL 4, and AIDL 1 for a device of HAL 1.0 to 1.3. A call that fails
// answers a service specific error with its code and why; outputs that are too small are a result.
// A device whose capabilities have types of OEMs, or whose type is unknown, fails getCapabilities
// or getType: AIDL has neither. INVALID_ARGUMENT for null, and for a version of HIDL.
GeneralResult<std::shared_ptr<aidl_hal::IDevice>> adaptAidl(SharedDevice device,
                                                            std::optional<HalVersion> version = {},
                                                            AdaptOptions options = {});

}  // namespace nn::hal::adapter

// HAL 1.3 as it was first published: without priority, deadline and memory of devices, with the
// codes of 1.0. Everything else is as in the final revision. The descriptor was that of the final
// revision; it differs here, so that castFrom() takes neither for the other.
namespace nn::V1_3::early {

class IDevice : public V1_2::IDevice {
   public:
    NNAPI_HIDL_INTERFACE(IDevice, V1_2::IDevice,
                         "android.hardware.neuralnetworks@1.3-early::IDevice")

    using getCapabilities_1_3_cb =
            std::function<void(V1_0::ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_1_3_cb = std::function<void(
            V1_0::ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;

    virtual Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_3(const Model& model,
                                                    getSupportedOperations_1_3_cb callback) = 0;
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

// A driver of the final revision by the early interface, and the reverse. Priorities other than
// MEDIUM and deadlines cannot be carried to an early driver and are told to the listener;
// allocate() fails there with GENERAL_FAILURE. Null for null.
hidl::sp<V1_3::early::IDevice> toEarly(hidl::sp<V1_3::IDevice> driver);
hidl::sp<V1_3::IDevice> fromEarly(hidl::sp<V1_3::early::IDevice> driver, LossListener onLoss = {});

}  // namespace nn::hal::adapter
