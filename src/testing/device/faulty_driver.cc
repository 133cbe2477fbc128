#include "nnapi/testing/faulty_driver.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace nn::testing {
namespace {

using hidl::hidl_handle;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;
using Files = hidl_vec<hidl_handle>;

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

class FaultyDriver final : public V1_3::IDevice {
   public:
    FaultyDriver(sp<V1_3::IDevice> good, DeviceFaults faults)
        : mGood(std::move(good)), mFaults(std::move(faults)) {}

    Return<void> ping() override { return mGood->ping(); }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient,
                             uint64_t cookie) override {
        return mGood->linkToDeath(recipient, cookie);
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        return mGood->unlinkToDeath(recipient);
    }

#define FORWARD(method) \
    Return<void> method(method##_cb callback) override { return mGood->method(callback); }
    FORWARD(getCapabilities)
    FORWARD(getCapabilities_1_1)
    FORWARD(getCapabilities_1_2)
    FORWARD(getCapabilities_1_3)
    FORWARD(getVersionString)
    FORWARD(getType)
    FORWARD(getSupportedExtensions)
    FORWARD(getNumberOfCacheFilesNeeded)
#undef FORWARD
    Return<V1_0::DeviceStatus> getStatus() override { return mGood->getStatus(); }

#define FORWARD(method, V)                                                      \
    Return<void> method(const V::Model& model, method##_cb callback) override { \
        return mGood->method(model, callback);                                  \
    }
    FORWARD(getSupportedOperations, V1_0)
    FORWARD(getSupportedOperations_1_1, V1_1)
    FORWARD(getSupportedOperations_1_2, V1_2)
    FORWARD(getSupportedOperations_1_3, V1_3)
#undef FORWARD

    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override {
        return mGood->prepareModel(model, with(callback));
    }
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        return mGood->prepareModel_1_1(model, preference, with(callback));
    }
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference, const Files& models,
            const Files& data, const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return mGood->prepareModel_1_2(model, preference, models, data, token, with(callback));
    }
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
            const V1_3::OptionalTimePoint& deadline, const Files& models, const Files& data,
            const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return mGood->prepareModel_1_3(model, preference, priority, deadline, models, data, token,
                                       with(callback));
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const Files& models, const Files& data, const V1_2::HidlToken& token,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return mGood->prepareModelFromCache(models, data, token, with(callback));
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& deadline, const Files& models, const Files& data,
            const V1_2::HidlToken& token,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return mGood->prepareModelFromCache_1_3(deadline, models, data, token, with(callback));
    }

    Return<void> allocate(const V1_3::BufferDesc& desc,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& models,
                          const hidl_vec<V1_3::BufferRole>& inputs,
                          const hidl_vec<V1_3::BufferRole>& outputs,
                          allocate_cb callback) override {
        return mGood->allocate(desc, models, inputs, outputs, callback);
    }

   private:
    // Null stays null; the driver refuses it.
    template <class Client>
    sp<Callback> with(const sp<Client>& client) const {
        return client == nullptr ? sp<Callback>() : sp<Callback>::make(client, mFaults, mKept);
    }

    const sp<V1_3::IDevice> mGood;
    const DeviceFaults mFaults;
    const std::shared_ptr<RetainedCallbacks> mKept = std::make_shared<RetainedCallbacks>();
};

}  // namespace

hidl::sp<V1_3::IDevice> faultyDriver(hidl::sp<V1_3::IDevice> driver, DeviceFaults faults) {
    if (driver == nullptr) return nullptr;
    return sp<FaultyDriver>::make(std::move(driver), std::move(faults));
}

}  // namespace nn::testing
