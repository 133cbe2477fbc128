#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/hal/hidl/forwarding.h"
#include "nnapi/print.h"

namespace nn {

namespace V1_3::early {

IDevice::~IDevice() = default;

Return<void> IDevice::interfaceChain(interfaceChain_cb callback) {
    std::vector<hidl::hidl_string> chain = {descriptor};
    auto returned =
            V1_2::IDevice::interfaceChain([&](const hidl_vec<hidl::hidl_string>& descriptors) {
                chain.insert(chain.end(), descriptors.begin(), descriptors.end());
            });
    callback(chain);
    return returned;
}

Return<void> IDevice::interfaceDescriptor(interfaceDescriptor_cb callback) {
    callback(descriptor);
    return hidl::Void();
}

}  // namespace V1_3::early

namespace hal::adapter {
namespace {

using hidl::hidl_handle;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;
using Preference = V1_1::ExecutionPreference;

V1_0::ErrorStatus collapsed(V1_3::ErrorStatus status) {
    const Result<ErrorStatus> canonical = unvalidatedConvert(status);
    if (!canonical.ok()) return V1_0::ErrorStatus::GENERAL_FAILURE;
    const auto older = unvalidatedConvertTo<HalVersion::V1_2>(*canonical);
    return older.ok() ? *older : V1_0::ErrorStatus::GENERAL_FAILURE;
}

// The codes of 1.0 have the same numbers in 1.3.
V1_3::ErrorStatus widened(V1_0::ErrorStatus status) {
    return static_cast<V1_3::ErrorStatus>(status);
}

// The failure of a call, as that of the call around it.
template <class T>
hidl::Status failureOf(const Return<T>& returned) {
    if (returned.isDeadObject()) return hidl::Status::fromStatusT(hidl::DEAD_OBJECT);
    return hidl::Status::fromExceptionCode(hidl::Status::EX_TRANSACTION_FAILED,
                                           returned.description().c_str());
}

Return<V1_0::ErrorStatus> collapsed(const Return<V1_3::ErrorStatus>& returned) {
    if (!returned.isOk()) return failureOf(returned);
    return collapsed(static_cast<V1_3::ErrorStatus>(returned));
}

Return<V1_3::ErrorStatus> widened(const Return<V1_0::ErrorStatus>& returned) {
    if (!returned.isOk()) return failureOf(returned);
    return widened(static_cast<V1_0::ErrorStatus>(returned));
}

// ---- final to early

// The callback of a client of the early revision.
class CollapsingCallback final : public V1_3::IPreparedModelCallback {
   public:
    explicit CollapsingCallback(sp<V1_2::IPreparedModelCallback> callback)
        : mCallback(std::move(callback)) {}

    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override {
        return mCallback->notify(status, preparedModel);
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override {
        return mCallback->notify_1_2(status, preparedModel);
    }
    Return<void> notify_1_3(V1_3::ErrorStatus status,
                            const sp<V1_3::IPreparedModel>& preparedModel) override {
        return mCallback->notify_1_2(collapsed(status), preparedModel);
    }

   private:
    const sp<V1_2::IPreparedModelCallback> mCallback;
};

class EarlyDevice final : public ForwardingHidl<V1_3::early::IDevice, V1_3::IDevice> {
   public:
    using ForwardingHidl::ForwardingHidl;

    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        if (!callback) return inner()->getCapabilities_1_3(nullptr);
        return inner()->getCapabilities_1_3(
                [&](V1_3::ErrorStatus status, const V1_3::Capabilities& capabilities) {
                    callback(collapsed(status), capabilities);
                });
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        if (!callback) return inner()->getSupportedOperations_1_3(model, nullptr);
        return inner()->getSupportedOperations_1_3(
                model, [&](V1_3::ErrorStatus status, const hidl_vec<bool>& isSupported) {
                    callback(collapsed(status), isSupported);
                });
    }
    Return<V1_0::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, Preference preference,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return collapsed(inner()->prepareModel_1_3(model, preference, V1_3::Priority::MEDIUM, {},
                                                   modelCache, dataCache, token, newer(callback)));
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache_1_3(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return collapsed(inner()->prepareModelFromCache_1_3({}, modelCache, dataCache, token,
                                                            newer(callback)));
    }

   private:
    static sp<V1_3::IPreparedModelCallback> newer(
            const sp<V1_2::IPreparedModelCallback>& callback) {
        if (callback == nullptr) return nullptr;
        return sp<CollapsingCallback>::make(callback);
    }
};

// ---- early to final

class FinalDevice final : public ForwardingHidl<V1_3::IDevice, V1_3::early::IDevice> {
   public:
    FinalDevice(sp<V1_3::early::IDevice> driver, LossListener onLoss)
        : ForwardingHidl(std::move(driver)), mOnLoss(std::move(onLoss)) {}

    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        if (!callback) return inner()->getCapabilities_1_3(nullptr);
        return inner()->getCapabilities_1_3(
                [&](V1_0::ErrorStatus status, const V1_3::Capabilities& capabilities) {
                    callback(widened(status), capabilities);
                });
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        if (!callback) return inner()->getSupportedOperations_1_3(model, nullptr);
        return inner()->getSupportedOperations_1_3(
                model, [&](V1_0::ErrorStatus status, const hidl_vec<bool>& isSupported) {
                    callback(widened(status), isSupported);
                });
    }
    // The driver uses the older method, which the callback also has.
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, Preference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        if (auto why = refusal(priority, deadline)) return refuse(*why, callback);
        reportLosses("prepareModel_1_3", priority, deadline);
        return widened(inner()->prepareModel_1_3(model, preference, modelCache, dataCache, token,
                                                 callback));
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        if (auto why = refusal(V1_3::Priority::MEDIUM, deadline)) return refuse(*why, callback);
        reportLosses("prepareModelFromCache_1_3", V1_3::Priority::MEDIUM, deadline);
        return widened(inner()->prepareModelFromCache_1_3(modelCache, dataCache, token, callback));
    }
    Return<void> allocate(const V1_3::BufferDesc&, const hidl_vec<sp<V1_3::IPreparedModel>>&,
                          const hidl_vec<V1_3::BufferRole>&, const hidl_vec<V1_3::BufferRole>&,
                          allocate_cb callback) override {
        if (!callback) {
            return hidl::Status::fromExceptionCode(hidl::Status::EX_ILLEGAL_ARGUMENT,
                                                   "the callback is null");
        }
        callback(V1_3::ErrorStatus::GENERAL_FAILURE, nullptr, 0);
        return hidl::Void();
    }

   private:
    // Checks that the early driver cannot make.
    static std::optional<V1_3::ErrorStatus> refusal(V1_3::Priority priority,
                                                    const V1_3::OptionalTimePoint& deadline) {
        const Result<OptionalTimePoint> canonical = convert(deadline);
        if (!convert(priority).ok() || !canonical.ok()) return V1_3::ErrorStatus::INVALID_ARGUMENT;
        if (*canonical && **canonical <= Clock::now()) {
            return V1_3::ErrorStatus::MISSED_DEADLINE_PERSISTENT;
        }
        return std::nullopt;
    }
    static V1_3::ErrorStatus refuse(V1_3::ErrorStatus status,
                                    const sp<V1_3::IPreparedModelCallback>& callback) {
        if (callback == nullptr) return V1_3::ErrorStatus::INVALID_ARGUMENT;
        (void)callback->notify_1_3(status, nullptr).isOk();
        return status;
    }
    void reportLosses(std::string_view call, V1_3::Priority priority,
                      const V1_3::OptionalTimePoint& deadline) const {
        if (!mOnLoss) return;
        Losses losses;
        if (priority != V1_3::Priority::MEDIUM) {
            losses.push_back({.path = "priority",
                              .before = toString(priority),
                              .after = toString(V1_3::Priority::MEDIUM),
                              .why = "the early HAL 1.3 has no priorities"});
        }
        if (const auto canonical = convert(deadline); canonical.ok() && *canonical) {
            losses.push_back({.path = "deadline",
                              .before = print(*canonical),
                              .after = print(OptionalTimePoint{}),
                              .why = "the early HAL 1.3 has no deadlines"});
        }
        if (!losses.empty()) mOnLoss(call, losses);
    }

    const LossListener mOnLoss;
};

}  // namespace

sp<V1_3::early::IDevice> toEarly(sp<V1_3::IDevice> driver) {
    if (driver == nullptr) return nullptr;
    return sp<EarlyDevice>::make(std::move(driver));
}

sp<V1_3::IDevice> fromEarly(sp<V1_3::early::IDevice> driver, LossListener onLoss) {
    if (driver == nullptr) return nullptr;
    return sp<FinalDevice>::make(std::move(driver), std::move(onLoss));
}

}  // namespace hal::adapter
}  // namespace nn
