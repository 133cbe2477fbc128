#include "nnapi/device_test/faulty_driver.h"

#include <memory>
#include <utility>

#include "device_test/cases/faulty_parts.h"
#include "device_test/cases/hidl_callbacks.h"
#include "nnapi/hal/hidl/forwarding.h"

namespace nn::testing {
namespace {

using hidl::Return;
using hidl::sp;
using RetainedCallbacks = Retained<sp<hidl::IBase>>;

// Intercepts the calls of a driver to its client.
template <class Client>
class Callback final : public parts::PreparationCallback<Callback<Client>> {
   public:
    Callback(sp<Client> client, DeviceFaults faults, std::shared_ptr<RetainedCallbacks> kept)
        : mClient(std::move(client)), mFaults(std::move(faults)), mKept(std::move(kept)) {}

    template <class Status, class Model>
    Return<void> notified(HalVersion by, Status status, const sp<Model>& model) {
        if (mFaults.isOn(DeviceFault::NOTIFIES_NEVER)) {
            mKept->keep(mClient);
            return hidl::Void();
        }
        const bool isNull = mFaults.isOn(DeviceFault::NOTIFIES_NULL);
        Return<void> notified = parts::notify(*mClient, by, static_cast<int32_t>(status),
                                              isNull ? sp<Model>() : model);
        if (mFaults.isOn(DeviceFault::NOTIFIES_TWICE)) {
            return parts::notify(*mClient, by, static_cast<int32_t>(Status::GENERAL_FAILURE),
                                 sp<Model>());
        }
        return notified;
    }

   private:
    const sp<Client> mClient;
    const DeviceFaults mFaults;
    const std::shared_ptr<RetainedCallbacks> mKept;
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
    sp<Client> with(const sp<Client>& client) const {
        if (client == nullptr) return nullptr;
        return sp<Callback<Client>>::make(client, mFaults, mKept);
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
