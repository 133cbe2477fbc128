// nnapi/driver/wrap.h -- Uses a HIDL or AIDL driver as a canonical device.
//
//   nn::hidl::sp<nn::V1_2::IDevice> driver = ...;
//   const auto onLoss = [](std::string_view call, const nn::Losses& losses) {
//       for (const nn::Loss& loss : losses) log(call, nn::toString(loss));
//   };
//   nn::GeneralResult<nn::SharedDevice> device = nn::wrap("my-driver", driver, {.onLoss = onLoss});
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);
//
// A wrapper converts arguments with validation, calls the methods of the driver's version, waits
// for callbacks and checks every result: a result that breaks the HAL's rules becomes
// GENERAL_FAILURE with the place, a dead driver DEAD_OBJECT. Every wait ends: at the call's
// deadline (MISSED_DEADLINE_TRANSIENT), or at the ceiling if there is none (GENERAL_FAILURE). A
// deadline that the version cannot represent is checked before and after the call. A fenced
// execution with inputs behind pointers waits for its fences in the calling thread and then copies
// the inputs, so another thread must signal the fences. Without a listener, a prepared model keeps
// the last request whose arguments are in shared memory, in converted form, until the next such
// request or its own end. docs/driver_calls.md shows the order of calls. Thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/losses.h"

namespace nn {

// Receives the information that a call could not transfer, before the call and on its thread.
// `call` is the HAL method: "prepareModel_1_1". Must not throw.
using LossListener = std::function<void(std::string_view call, const Losses& losses)>;

// Options of wrappers.
struct WrapOptions {
    LossListener onLoss{};  // may be empty
    // Longest wait for the result of a call without a deadline.
    Duration ceiling = std::chrono::minutes(5);
    // HAL 1.2 and 1.3: use executeSynchronously instead of execute with a callback.
    bool executeSynchronously = true;
    // Bursts of HAL 1.2 and 1.3: how long to poll a queue before blocking.
    std::chrono::microseconds burstPollingTimeWindow{0};
    // Logs preparations (COMPILATION), executions (EXECUTION) and launches (DRIVER).
    SharedLog log{};
};

// Wraps a HIDL driver by its newest version, found by castFrom. INVALID_ARGUMENT for an empty name
// or null; otherwise the failure of the driver's getters.
GeneralResult<SharedDevice> wrap(std::string name, const hidl::sp<V1_0::IDevice>& driver,
                                 WrapOptions options = {});

}  // namespace nn

namespace nn NNAPI_BINDING {

// Wraps an AIDL driver by the version that it reports; a newer one is treated as the newest known.
GeneralResult<SharedDevice> wrap(std::string name, const std::shared_ptr<aidl_hal::IDevice>& driver,
                                 WrapOptions options = {});

}  // namespace NNAPI_BINDING

namespace nn {

// INVALID_ARGUMENT: there is no driver.
inline GeneralResult<SharedDevice> wrap(std::string name, std::nullptr_t,
                                        WrapOptions options = {}) {
    return wrap(std::move(name), hidl::sp<V1_0::IDevice>(), std::move(options));
}

// The driver that a device wraps, and the version that it is wrapped by; both null for a device
// that wraps none. Looks behind devices that forward to another one (nnapi/driver/forwarding.h).
struct WrappedDriver {
    HalVersion version{};            // of the driver, as it was wrapped
    hidl::sp<V1_0::IDevice> hidl{};  // castFrom returns newer versions; null for an AIDL driver
    std::shared_ptr<aidl_hal::IDevice> aidl{};  // null for a HIDL driver
};
// Has no driver for a null device either.
WrappedDriver wrappedDriver(const SharedDevice& device);

// Wraps a driver by one version, even if it has a newer one: V1_0::utils::Device::create(), ...,
// AIDL4::utils::Device::create().
#define NNAPI_HIDL_DRIVER(V) hidl::sp<V::IDevice>
#define NNAPI_AIDL_DRIVER(V) std::shared_ptr<aidl_hal::IDevice>
#define NNAPI_HAL_VERSION(V, level, text, title, family)                             \
    namespace V NNAPI_BINDING::utils {                                               \
    struct Device {                                                                  \
        static GeneralResult<SharedDevice> create(std::string name,                  \
                                                  NNAPI_##family##_DRIVER(V) driver, \
                                                  WrapOptions options = {});         \
    };                                                                               \
    }
#include "nnapi/hal_versions.def"
#undef NNAPI_HIDL_DRIVER
#undef NNAPI_AIDL_DRIVER

// Wraps single objects. GENERAL_FAILURE for null. HAL 1.1 uses the prepared models of 1.0.
namespace V1_0 NNAPI_BINDING::utils {
// A prepared model of HAL 1.0 or 1.1.
struct PreparedModel {
    // GENERAL_FAILURE for null.
    static GeneralResult<SharedPreparedModel> create(hidl::sp<V1_0::IPreparedModel> preparedModel,
                                                     WrapOptions options = {});
};

// Forwards executions to the prepared model, one at a time, without a cache. INVALID_ARGUMENT for
// null. For bursts over queues see nnapi/driver/burst.h.
struct Burst {
    // The burst keeps the prepared model.
    static GeneralResult<SharedBurst> create(SharedPreparedModel preparedModel);
};
}  // namespace NNAPI_BINDING::utils
namespace V1_2 NNAPI_BINDING::utils {
// A prepared model of HAL 1.2.
struct PreparedModel {
    // GENERAL_FAILURE for null. `executeSynchronously` counts, that of the options does not.
    static GeneralResult<SharedPreparedModel> create(hidl::sp<V1_2::IPreparedModel> preparedModel,
                                                     bool executeSynchronously,
                                                     WrapOptions options = {});
};
}  // namespace NNAPI_BINDING::utils
namespace V1_3 NNAPI_BINDING::utils {
// A prepared model of HAL 1.3.
struct PreparedModel {
    // GENERAL_FAILURE for null. `executeSynchronously` counts, that of the options does not.
    static GeneralResult<SharedPreparedModel> create(hidl::sp<V1_3::IPreparedModel> preparedModel,
                                                     bool executeSynchronously,
                                                     WrapOptions options = {});
};

// A buffer of HAL 1.3.
struct Buffer {
    // GENERAL_FAILURE for null and for token 0.
    static GeneralResult<SharedBuffer> create(hidl::sp<V1_3::IBuffer> buffer,
                                              nn::Request::MemoryDomainToken token,
                                              WrapOptions options = {});
};
}  // namespace NNAPI_BINDING::utils
#define NNAPI_HIDL_PREPARED_MODEL(V)
#define NNAPI_AIDL_PREPARED_MODEL(V)                                                         \
    namespace V NNAPI_BINDING::utils {                                                       \
    struct PreparedModel {                                                                   \
        static GeneralResult<SharedPreparedModel> create(                                    \
                std::shared_ptr<aidl_hal::IPreparedModel> preparedModel,                     \
                WrapOptions options = {});                                                   \
    };                                                                                       \
    /* GENERAL_FAILURE for null and for token 0. */                                          \
    struct Buffer {                                                                          \
        static GeneralResult<SharedBuffer> create(std::shared_ptr<aidl_hal::IBuffer> buffer, \
                                                  nn::Request::MemoryDomainToken token,      \
                                                  WrapOptions options = {});                 \
    };                                                                                       \
    }
#define NNAPI_HAL_VERSION(V, level, text, title, family) NNAPI_##family##_PREPARED_MODEL(V)
#include "nnapi/hal_versions.def"
#undef NNAPI_HIDL_PREPARED_MODEL
#undef NNAPI_AIDL_PREPARED_MODEL
namespace AIDL4 NNAPI_BINDING::utils {
// A reusable execution of AIDL 4.
struct Execution {
    // A reusable execution of a request whose arguments are in memory. One computation at a time:
    // a later one waits for the fence of the one before.
    static GeneralResult<SharedExecution> create(std::shared_ptr<aidl_hal::IExecution> execution,
                                                 const nn::Request& request, MeasureTiming measure,
                                                 WrapOptions options = {});
};
}  // namespace NNAPI_BINDING::utils

}  // namespace nn
