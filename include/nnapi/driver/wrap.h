// nnapi/driver/wrap.h -- a driver of a version of HIDL or AIDL as a canonical device.
//
//   nn::hidl::sp<nn::V1_2::IDevice> driver = ...;
//   nn::GeneralResult<nn::SharedDevice> device =
//           nn::wrap("my-driver", driver, {.onLoss = [](std::string_view call, const nn::Losses&
//           losses) {
//               for (const nn::Loss& loss : losses) log(call, nn::toString(loss));
//           }});
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);
//
// A wrapper converts arguments with validation, calls the methods of its version alone, waits for
// callbacks and checks all that the driver answers: what breaks the rules of the HAL becomes
// GENERAL_FAILURE with the place, what dies DEAD_OBJECT. Every wait ends: with the deadline of the
// call where it has one (MISSED_DEADLINE_TRANSIENT), otherwise with the ceiling (GENERAL_FAILURE).
// A fenced execution whose inputs lie behind pointers first waits for its fences, in the calling
// thread, and copies the inputs then; who signals the fences is another thread.
// A deadline that a version cannot carry is looked at before and after the call. docs/drivers.md
// shows the calls in their order. A prepared model keeps the last request whose arguments lie in
// shared memory, as the driver gets it, until another such request comes or the prepared model
// goes; with a listener it keeps none. Thread-safe.
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
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/losses.h"

namespace nn {

// Told what a call could not carry, before the call, on the thread that calls. The call is named by
// the method of the HAL: "prepareModel_1_1". It must not throw.
using LossListener = std::function<void(std::string_view call, const Losses& losses)>;

struct WrapOptions {
    LossListener onLoss{};
    // How long to wait for an answer that no deadline bounds.
    Duration ceiling = std::chrono::minutes(5);
    // HAL 1.2 and 1.3: executeSynchronously in place of execute with a callback.
    bool executeSynchronously = true;
    // Bursts of HAL 1.2 and 1.3: how long to look at a queue before waiting for it.
    std::chrono::microseconds burstPollingTimeWindow{0};
    // Told of preparations (COMPILATION), executions (EXECUTION) and launches (DRIVER).
    SharedLog log{};
};

// The driver by the newest version that it has, found by castFrom. INVALID_ARGUMENT for an empty
// name or null.
GeneralResult<SharedDevice> wrap(std::string name, const hidl::sp<V1_0::IDevice>& driver,
                                 WrapOptions options = {});

// The same of AIDL, by the version that the driver says; one that is newer than this library is as
// the newest.
GeneralResult<SharedDevice> wrap(std::string name, const std::shared_ptr<aidl_hal::IDevice>& driver,
                                 WrapOptions options = {});

inline GeneralResult<SharedDevice> wrap(std::string name, std::nullptr_t,
                                        WrapOptions options = {}) {
    return wrap(std::move(name), hidl::sp<V1_0::IDevice>(), std::move(options));
}

// By one version, whatever else the driver has.
#define NNAPI_WRAPPER(V, Driver)                                                   \
    namespace V::utils {                                                           \
    struct Device {                                                                \
        static GeneralResult<SharedDevice> create(std::string name, Driver driver, \
                                                  WrapOptions options = {});       \
    };                                                                             \
    }
NNAPI_WRAPPER(V1_0, hidl::sp<V1_0::IDevice>)
NNAPI_WRAPPER(V1_1, hidl::sp<V1_1::IDevice>)
NNAPI_WRAPPER(V1_2, hidl::sp<V1_2::IDevice>)
NNAPI_WRAPPER(V1_3, hidl::sp<V1_3::IDevice>)
NNAPI_WRAPPER(AIDL1, std::shared_ptr<aidl_hal::IDevice>)
NNAPI_WRAPPER(AIDL2, std::shared_ptr<aidl_hal::IDevice>)
NNAPI_WRAPPER(AIDL3, std::shared_ptr<aidl_hal::IDevice>)
NNAPI_WRAPPER(AIDL4, std::shared_ptr<aidl_hal::IDevice>)
#undef NNAPI_WRAPPER

// Prepared models; GENERAL_FAILURE for null. Those of HAL 1.1 are of 1.0.
namespace V1_0::utils {
struct PreparedModel {
    static GeneralResult<SharedPreparedModel> create(hidl::sp<V1_0::IPreparedModel> preparedModel,
                                                     WrapOptions options = {});
};

// Hands executions to the prepared model, one at a time, and caches nothing. INVALID_ARGUMENT for
// null. For queues see nnapi/driver/burst.h.
struct Burst {
    static GeneralResult<SharedBurst> create(SharedPreparedModel preparedModel);
};
}  // namespace V1_0::utils
namespace V1_2::utils {
struct PreparedModel {
    static GeneralResult<SharedPreparedModel> create(hidl::sp<V1_2::IPreparedModel> preparedModel,
                                                     bool executeSynchronously,
                                                     WrapOptions options = {});
};
}  // namespace V1_2::utils
namespace V1_3::utils {
struct PreparedModel {
    static GeneralResult<SharedPreparedModel> create(hidl::sp<V1_3::IPreparedModel> preparedModel,
                                                     bool executeSynchronously,
                                                     WrapOptions options = {});
};

// GENERAL_FAILURE for null, or for token 0.
struct Buffer {
    static GeneralResult<SharedBuffer> create(hidl::sp<V1_3::IBuffer> buffer,
                                              nn::Request::MemoryDomainToken token,
                                              WrapOptions options = {});
};
}  // namespace V1_3::utils
#define NNAPI_WRAPPER(V)                                                 \
    namespace V::utils {                                                 \
    struct PreparedModel {                                               \
        static GeneralResult<SharedPreparedModel> create(                \
                std::shared_ptr<aidl_hal::IPreparedModel> preparedModel, \
                WrapOptions options = {});                               \
    };                                                                   \
    }
NNAPI_WRAPPER(AIDL1)
NNAPI_WRAPPER(AIDL2)
NNAPI_WRAPPER(AIDL3)
NNAPI_WRAPPER(AIDL4)
#undef NNAPI_WRAPPER

}  // namespace nn
