// The protocol of AIDL 1 to 4.
#include <mutex>

#include "device_test/bugs/parts.h"
#include "fakes/aidl_methods.h"
#include "nnapi/device_test/faulty_driver.h"
#include "nnapi/hal/aidl/forwarding.h"

namespace nn::bugs {
namespace aidl_level {
namespace {

using aidl_hal::ExecutionConfig;
using aidl_hal::ExecutionResult;
using aidl_hal::FencedExecutionResult;
using ::ndk::ScopedAStatus;
using ::ndk::SharedRefBase;
using Client = std::shared_ptr<aidl_hal::IPreparedModelCallback>;

ScopedAStatus insufficient() {
    return ScopedAStatus::fromServiceSpecificErrorWithMessage(
            static_cast<int32_t>(aidl_hal::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE), "too small");
}

// ---- bursts

// A burst whose client believes that it has released a memory.
class Burst final : public hal::ForwardingAidlBurst {
   public:
    using ForwardingAidlBurst::ForwardingAidlBurst;
    ScopedAStatus releaseMemoryResource(int64_t) override { return ScopedAStatus::ok(); }
};

// ---- prepared models

class PreparedModelObject : public hal::ForwardingAidl<aidl_hal::IPreparedModel> {
   public:
    PreparedModelObject(Bug bug, std::shared_ptr<aidl_hal::IPreparedModel> good)
        : ForwardingAidl(std::move(good)), mBug(bug) {}

   protected:
    ScopedAStatus call(std::string_view method, auto* result, const auto& good,
                       const auto&... arguments) {
        const bool isOfVersion4 =
                method.ends_with("WithConfig") || method == "createReusableExecution";
        if (has(Bug::aidl_interface_version) && isOfVersion4) {
            return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
        }
        ScopedAStatus status = good(*inner());
        return changed(std::move(status), result, isMeasured(arguments...));
    }

   private:
    bool has(Bug bug) const { return mBug == bug; }

    static bool isMeasured(const auto&...) { return true; }
    static bool isMeasured(const aidl_hal::Request&, bool measure, int64_t, int64_t) {
        return measure;
    }
    static bool isMeasured(const aidl_hal::Request&, const ExecutionConfig& config, int64_t) {
        return config.measureTiming;
    }

    ScopedAStatus changed(ScopedAStatus status, ExecutionResult* result, bool isMeasured) const {
        if (!status.isOk()) {
            if (!has(Bug::aidl_error_without_code)) return status;
            return ScopedAStatus::fromExceptionCode(EX_ILLEGAL_STATE);
        }
        if (has(Bug::aidl_insufficient_as_error) && !result->outputSufficientSize) {
            return insufficient();
        }
        if (has(Bug::aidl_timing_zero) && !isMeasured) result->timing = {};
        return status;
    }
    ScopedAStatus changed(ScopedAStatus status, FencedExecutionResult* result, bool) const {
        if (has(Bug::aidl_fenced_callback_null)) result->callback = nullptr;
        return status;
    }
    ScopedAStatus changed(ScopedAStatus status, std::shared_ptr<aidl_hal::IBurst>* burst,
                          bool) const {
        if (status.isOk() && has(Bug::aidl_burst_ignores_release)) {
            *burst = SharedRefBase::make<Burst>(std::move(*burst));
        }
        if (has(Bug::aidl_burst_null)) *burst = nullptr;
        return status;
    }
    ScopedAStatus changed(ScopedAStatus status, std::shared_ptr<aidl_hal::IExecution>* execution,
                          bool) const {
        if (has(Bug::aidl_reusable_null)) *execution = nullptr;
        return status;
    }

    const Bug mBug;
};
using PreparedModel = fakes::AidlPreparedModel<PreparedModelObject>;

// Intercepts the calls of a driver to its client.
class Callback final : public aidl_hal::BnPreparedModelCallback {
   public:
    Callback(Bug bug, Client client, std::shared_ptr<std::mutex> ofDevice)
        : mBug(bug), mClient(std::move(client)), mOfDevice(std::move(ofDevice)) {}

    ScopedAStatus notify(aidl_hal::ErrorStatus status,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& model) override {
        using Code = aidl_hal::ErrorStatus;
        if (mBug == Bug::aidl_never_notifies_error && status != Code::NONE) {
            static std::mutex mutex;
            static std::vector<Client> kept;  // a client would notice that it is gone
            const std::lock_guard lock(mutex);
            kept.push_back(mClient);
            return ScopedAStatus::ok();
        }
        if (mBug == Bug::aidl_launch_status_differs && status == Code::INVALID_ARGUMENT) {
            status = Code::GENERAL_FAILURE;
        }
        std::unique_lock lock(*mOfDevice, std::defer_lock);
        if (mBug == Bug::aidl_locks_while_notifying) lock.lock();
        if (model == nullptr) return mClient->notify(status, nullptr);
        return mClient->notify(status, SharedRefBase::make<PreparedModel>(mBug, model));
    }

   private:
    const Bug mBug;
    const Client mClient;
    const std::shared_ptr<std::mutex> mOfDevice;
};

// ---- devices

class Driver final : public hal::ForwardingAidlDevice {
   public:
    Driver(Bug bug, std::shared_ptr<aidl_hal::IDevice> good)
        : ForwardingAidlDevice(std::move(good)), mBug(bug) {}

    ::ndk::SpAIBinder asBinder() override { return inner()->asBinder(); }
    bool isRemote() override { return inner()->isRemote(); }

    ScopedAStatus getType(aidl_hal::DeviceType* type) override {
        const std::lock_guard lock(*mOfDevice);
        return inner()->getType(type);
    }
    ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                           const std::vector<aidl_hal::IPreparedModelParcel>& models,
                           const std::vector<aidl_hal::BufferRole>& inputs,
                           const std::vector<aidl_hal::BufferRole>& outputs,
                           aidl_hal::DeviceBuffer* buffer) override {
        std::vector<aidl_hal::IPreparedModelParcel> known(models.size());
        for (size_t i = 0; i < models.size(); ++i) {
            const auto* own = dynamic_cast<const PreparedModel*>(models[i].preparedModel.get());
            known[i].preparedModel = own == nullptr ? models[i].preparedModel : own->inner();
        }
        auto status = inner()->allocate(desc, known, inputs, outputs, buffer);
        if (status.isOk() && mBug == Bug::aidl_token_zero) buffer->token = 0;
        return status;
    }
    ScopedAStatus prepareModelWithConfig(const aidl_hal::Model& model,
                                         const aidl_hal::PrepareModelConfig& config,
                                         const Client& client) override {
        if (mBug == Bug::aidl_interface_version) {
            return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
        }
        return ForwardingAidlDevice::prepareModelWithConfig(model, config, client);
    }

   private:
    Client wrapCallback(const Client& client) override {
        if (client == nullptr) return nullptr;
        return SharedRefBase::make<Callback>(mBug, client, mOfDevice);
    }

    const Bug mBug;
    const std::shared_ptr<std::mutex> mOfDevice = std::make_shared<std::mutex>();
};

}  // namespace
}  // namespace aidl_level

std::shared_ptr<aidl_hal::IDevice> withProtocolBugs(std::shared_ptr<aidl_hal::IDevice> driver,
                                                    Bug bug) {
    using nn::testing::DeviceFault;
    using nn::testing::faultyDriver;
    if (bug == Bug::aidl_notifies_twice) {
        driver = faultyDriver(driver, {DeviceFault::NOTIFIES_TWICE});
    }
    if (bug == Bug::aidl_null_with_none) {
        driver = faultyDriver(driver, {DeviceFault::NOTIFIES_NULL});
    }
    return ::ndk::SharedRefBase::make<aidl_level::Driver>(bug, std::move(driver));
}

}  // namespace nn::bugs
