#include <memory>
#include <utility>

#include "device_test/cases/faulty_parts.h"
#include "nnapi/device_test/faulty_driver.h"
#include "nnapi/hal/aidl/forwarding.h"

namespace nn::testing {
namespace {

using ::ndk::ScopedAStatus;
using Client = std::shared_ptr<aidl_hal::IPreparedModelCallback>;
using RetainedCallbacks = Retained<Client>;

// Intercepts the calls of a driver to its client.
class Callback final : public aidl_hal::BnPreparedModelCallback {
   public:
    Callback(Client client, DeviceFaults faults, std::shared_ptr<RetainedCallbacks> kept)
        : mClient(std::move(client)), mFaults(std::move(faults)), mKept(std::move(kept)) {}

    ScopedAStatus notify(aidl_hal::ErrorStatus status,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& model) override {
        if (mFaults.isOn(DeviceFault::NOTIFIES_NEVER)) {
            mKept->keep(mClient);
            return ScopedAStatus::ok();
        }
        const bool isNull = mFaults.isOn(DeviceFault::NOTIFIES_NULL);
        ScopedAStatus notified = mClient->notify(status, isNull ? nullptr : model);
        if (mFaults.isOn(DeviceFault::NOTIFIES_TWICE)) {
            return mClient->notify(aidl_hal::ErrorStatus::GENERAL_FAILURE, nullptr);
        }
        return notified;
    }

   private:
    const Client mClient;
    const DeviceFaults mFaults;
    const std::shared_ptr<RetainedCallbacks> mKept;
};

// Binder and life cycle are those of the good driver.
class FaultyDriver final : public hal::ForwardingAidlDevice {
   public:
    FaultyDriver(std::shared_ptr<aidl_hal::IDevice> good, DeviceFaults faults)
        : ForwardingAidlDevice(std::move(good)), mFaults(std::move(faults)) {}

    ::ndk::SpAIBinder asBinder() override { return inner()->asBinder(); }
    bool isRemote() override { return inner()->isRemote(); }

   private:
    // Null stays null; the driver refuses it.
    Client wrapCallback(const Client& client) override {
        if (client == nullptr) return nullptr;
        return ::ndk::SharedRefBase::make<Callback>(client, mFaults, mKept);
    }

    const DeviceFaults mFaults;
    const std::shared_ptr<RetainedCallbacks> mKept = std::make_shared<RetainedCallbacks>();
};

}  // namespace

std::shared_ptr<aidl_hal::IDevice> faultyDriver(std::shared_ptr<aidl_hal::IDevice> driver,
                                                DeviceFaults faults) {
    if (driver == nullptr) return nullptr;
    return ::ndk::SharedRefBase::make<FaultyDriver>(std::move(driver), std::move(faults));
}

}  // namespace nn::testing
