// A driver of HAL 1.0 to 1.3 as its strict client calls it.
#pragma once

#include "device_test/cases/hidl_callbacks.h"
#include "device_test/cases/protocol_checks.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::testing::protocol {

using nn::hidl::hidl_vec;
using nn::hidl::Return;
using nn::hidl::sp;

// An object as each interface up to the version of the client; null for newer ones.
struct HidlDevices {
    sp<V1_0::IDevice> v1_0{};
    sp<V1_1::IDevice> v1_1{};
    sp<V1_2::IDevice> v1_2{};
    sp<V1_3::IDevice> v1_3{};

    explicit HidlDevices(const WrappedDriver& driver);
};
struct HidlPreparedModels {
    sp<V1_0::IPreparedModel> v1_0{};
    sp<V1_2::IPreparedModel> v1_2{};
    sp<V1_3::IPreparedModel> v1_3{};
};

// A transport that failed, as a status; NONE where a method returns no status.
template <class T>
Result<int32_t> statusOf(const Return<T>& returned) {
    if (!returned.isOk()) return hal::utils::failureOf(returned);
    return static_cast<int32_t>(static_cast<T>(returned));
}
inline Result<int32_t> statusOf(const Return<void>& returned) {
    if (!returned.isOk()) return hal::utils::failureOf(returned);
    return 0;
}

// Calls a method that returns its results by a callback, and checks them: invoke(callback). The
// callback takes a status and anything else.
template <class Invoke, class See>
Failure callAndCheck(const Client& client, const char* name, HalVersion since, Invoke&& invoke,
                     See&& see, Reply* reply = nullptr) {
    const SharedCall call = client.ledger.open({.name = name, .since = since});
    const auto returned = invoke([call, see](auto status, const auto&... values) {
        Reply made{.status = static_cast<int32_t>(status)};
        see(made, values...);
        call->addReply(std::move(made));
    });
    return client.ledger.check(*call, statusOf(returned), reply);
}

Reply executionReply(std::string_view by, int32_t status, const hidl_vec<V1_2::OutputShape>& shapes,
                     const V1_2::Timing& timing);

// Prepares by the newest method of the client's version.
Failure prepareNewest(const Client& client, const Model& model, HidlPreparedModels* prepared);

}  // namespace nn::testing::protocol
