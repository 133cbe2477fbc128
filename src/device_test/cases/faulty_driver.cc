#include "nnapi/device_test/faulty_driver.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "nnapi/hal/hidl/forwarding.h"

namespace nn::testing {
namespace {

using hidl::Return;
using hidl::sp;

// Keeps callbacks without calling them: a client would notice dropped ones.
class RetainedCallbacks {
   public:
    void keep(sp<hidl::IBase> client) {
        const std::lock_guard lock(mMutex);
        mClients.push_back(std::move(client));
    }

   private:
    std::mutex mMutex{};
    std::vector<sp<hidl::IBase>> mClients{};
};

// Intercepts the calls of a driver to its client, whose callback has one of the versions.
class Callback final : public V1_3::IPreparedModelCallback {
   public:
    Callback(sp<V1_0::IPreparedModelCallback> client, DeviceFaults faults,
             std::shared_ptr<RetainedCallbacks> kept)
        : mFaults(std::move(faults)), mKept(std::move(kept)), mClient(std::move(client)) {}
    Callback(sp<V1_2::IPreparedModelCallback> client, DeviceFaults faults,
             std::shared_ptr<RetainedCallbacks> kept)
        : mFaults(std::move(faults)), mKept(std::move(kept)), mClient1_2(std::move(client)) {}
    Callback(sp<V1_3::IPreparedModelCallback> client, DeviceFaults faults,
             std::shared_ptr<RetainedCallbacks> kept)
        : mFaults(std::move(faults)), mKept(std::move(kept)), mClient1_3(std::move(client)) {}

    // A driver uses the method of its client's version.
    Return<void> notify(V1_0::ErrorStatus status, const sp<V1_0::IPreparedModel>& model) override {
        if (mClient == nullptr) return hidl::Void();
        return notifyClient(mClient, status, model, [this](auto code, const auto& any) {
            return mClient->notify(code, any);
        });
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& model) override {
        if (mClient1_2 == nullptr) return hidl::Void();
        return notifyClient(mClient1_2, status, model, [this](auto code, const auto& any) {
            return mClient1_2->notify_1_2(code, any);
        });
    }
    Return<void> notify_1_3(V1_3::ErrorStatus status,
                            const sp<V1_3::IPreparedModel>& model) override {
        if (mClient1_3 == nullptr) return hidl::Void();
        return notifyClient(mClient1_3, status, model, [this](auto code, const auto& any) {
            return mClient1_3->notify_1_3(code, any);
        });
    }

   private:
    template <class Client, class Status, class Model, class Notify>
    Return<void> notifyClient(const sp<Client>& client, Status status, const sp<Model>& model,
                              const Notify& notify) {
        if (mFaults.isOn(DeviceFault::NOTIFIES_NEVER)) {
            mKept->keep(client);
            return hidl::Void();
        }
        const bool isNull = mFaults.isOn(DeviceFault::NOTIFIES_NULL);
        Return<void> notified = notify(status, isNull ? sp<Model>() : model);
        if (mFaults.isOn(DeviceFault::NOTIFIES_TWICE)) {
            return notify(Status::GENERAL_FAILURE, sp<Model>());
        }
        return notified;
    }

    const DeviceFaults mFaults;
    const std::shared_ptr<RetainedCallbacks> mKept;
    const sp<V1_0::IPreparedModelCallback> mClient{};
    const sp<V1_2::IPreparedModelCallback> mClient1_2{};
    const sp<V1_3::IPreparedModelCallback> mClient1_3{};
};

class FaultyDriver final : public hal::ForwardingHidlDevice {
   public:
    FaultyDriver(sp<V1_3::IDevice> good, DeviceFaults faults)
        : ForwardingHidlDevice(std::move(good)), mFaults(std::move(faults)) {}

   private:
    sp<V1_0::IPreparedModelCallback> wrapCallback(
            const sp<V1_0::IPreparedModelCallback>& client) override {
        return with(client);
    }
    sp<V1_2::IPreparedModelCallback> wrapCallback(
            const sp<V1_2::IPreparedModelCallback>& client) override {
        return with(client);
    }
    sp<V1_3::IPreparedModelCallback> wrapCallback(
            const sp<V1_3::IPreparedModelCallback>& client) override {
        return with(client);
    }

    // Null stays null; the driver refuses it.
    template <class Client>
    sp<Callback> with(const sp<Client>& client) const {
        return client == nullptr ? sp<Callback>() : sp<Callback>::make(client, mFaults, mKept);
    }

    const DeviceFaults mFaults;
    const std::shared_ptr<RetainedCallbacks> mKept = std::make_shared<RetainedCallbacks>();
};

}  // namespace

hidl::sp<V1_3::IDevice> faultyDriver(hidl::sp<V1_3::IDevice> driver, DeviceFaults faults) {
    if (driver == nullptr) return nullptr;
    return sp<FaultyDriver>::make(std::move(driver), std::move(faults));
}

}  // namespace nn::testing
