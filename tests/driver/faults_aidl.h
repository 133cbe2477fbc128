// The objects of an AIDL driver with fault injection; see faults_driver.h. Each object stands for
// one in the driver's process, as behind binder.
#pragma once

#include "driver/faults_driver.h"
#include "fakes/aidl_methods.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::driver_faults::aidl_objects {

using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;
using ndk::SharedRefBase;

inline ScopedAStatus statusOf(const hidl::Status& transport) {
    return ScopedAStatus::fromStatus(transport.transactionError());
}

// The binder status for a HIDL call that failed without details.
inline binder_status_t errorIn(const Return<bool>& failed) {
    return failed.isDeadObject() ? STATUS_DEAD_OBJECT : STATUS_FAILED_TRANSACTION;
}

class Binder final : public AIBinder {
   public:
    explicit Binder(SharedProcess process) : mProcess(std::move(process)) {}

    bool isRemote() const override { return true; }
    bool isAlive() const override { return !mProcess->isDead; }
    binder_status_t ping() override {
        if (const auto failure = mProcess->enter(PING); failure) return failure->transactionError();
        if (const auto failure = mProcess->leave(PING); failure) return failure->transactionError();
        return STATUS_OK;
    }
    binder_status_t linkToDeath(const AIBinder_DeathRecipient& recipient, void* cookie) override {
        const Return<bool> linked = mProcess->link({this, cookie, [recipient, cookie] {
                                                        recipient.onBinderDied(cookie);
                                                        recipient.onUnlinked(cookie);
                                                    }});
        if (!linked.isOk()) return errorIn(linked);
        return linked ? STATUS_OK : STATUS_INVALID_OPERATION;
    }
    binder_status_t unlinkToDeath(const AIBinder_DeathRecipient& recipient, void* cookie) override {
        const Return<bool> unlinked = mProcess->unlink(this, cookie);
        if (!unlinked.isOk()) return errorIn(unlinked);
        if (unlinked) recipient.onUnlinked(cookie);
        return STATUS_OK;
    }

   private:
    const SharedProcess mProcess;
};

// Common parts of all objects of a process.
template <class Interface>
class Wire : public ndk::BpCInterface<Interface> {
   public:
    Wire(SharedProcess process, std::shared_ptr<Interface> inner)
        : ndk::BpCInterface<Interface>(ndk::SpAIBinder(std::make_shared<Binder>(process))),
          mProcess(std::move(process)),
          mInner(std::move(inner)) {}

    ScopedAStatus getInterfaceVersion(int32_t* version) override {
        return mInner->getInterfaceVersion(version);
    }
    const std::shared_ptr<Interface>& inner() const { return mInner; }

   protected:
    // behind() calls the target object, and spoil(process, result) injects faults into its result.
    ScopedAStatus call(std::string_view method, const auto& result, const auto& behind,
                       const auto&...) const {
        FaultSchedule& schedule = *mProcess->schedule;
        uint32_t call = callOf(method);
        if (schedule.skips(call)) call = NOWHERE;
        if (const auto failure = mProcess->enter(call); failure) return statusOf(*failure);
        if (schedule.fire("STATUS", call)) {
            return ScopedAStatus::fromServiceSpecificError(schedule.code());
        }
        ScopedAStatus status = behind(*mInner);
        if (status.isOk() && call != NOWHERE) spoil(mProcess, result);
        if (schedule.fire("DEAD_AFTER", call)) mProcess->die();
        if (const auto failure = mProcess->leave(call); failure) return statusOf(*failure);
        return status;
    }

    const SharedProcess mProcess;

   private:
    const std::shared_ptr<Interface> mInner;
};
template <class Made, class Interface>
void wire(const SharedProcess& process, std::shared_ptr<Interface>& object) {
    if (process->schedule->fire("NULL_RESULT")) object = nullptr;
    if (object != nullptr) object = SharedRefBase::make<Made>(process, object);
}

// Faults in the results of executions, the same as for HIDL.
struct Spoilt {
    explicit Spoilt(FaultSchedule& schedule) { spoilExecution(schedule, status, shapes, timing); }
    V1_3::ErrorStatus status{};
    Shapes shapes{};
    V1_2::Timing timing = kNoTiming;

    void into(aidl_hal::ExecutionResult& result) const {
        if (status != V1_3::ErrorStatus::NONE) result.outputSufficientSize = false;
        for (const V1_2::OutputShape& shape : shapes) {
            result.outputShapes.push_back(
                    {.dimensions = {shape.dimensions.begin(), shape.dimensions.end()},
                     .isSufficient = shape.isSufficient});
        }
        into(result.timing);
    }
    void into(aidl_hal::Timing& result) const {
        if (timing.timeOnDevice == UINT64_MAX) return;
        result = {.timeOnDeviceNs = static_cast<int64_t>(timing.timeOnDevice) * 1000,
                  .timeInDriverNs = static_cast<int64_t>(timing.timeInDriver) * 1000};
    }
};

class FencedCallback final : public Wire<aidl_hal::IFencedExecutionCallback> {
   public:
    using Wire::Wire;
    ScopedAStatus getExecutionInfo(aidl_hal::Timing* launched, aidl_hal::Timing* fenced,
                                   aidl_hal::ErrorStatus* status) override {
        return call("getExecutionInfo", launched, [&](auto& target) {
            return target.getExecutionInfo(launched, fenced, status);
        });
    }
};
using Execution = fakes::AidlExecution<Wire<aidl_hal::IExecution>>;
using Burst = fakes::AidlBurst<Wire<aidl_hal::IBurst>>;
using PreparedModel = fakes::AidlPreparedModel<Wire<aidl_hal::IPreparedModel>>;
using Buffer = fakes::AidlBuffer<Wire<aidl_hal::IBuffer>>;

using SharedCallback = std::shared_ptr<aidl_hal::IPreparedModelCallback>;

// The client of a preparation, as the adapter notifies it.
class PreparationPost final : public Post<aidl_hal::BnPreparedModelCallback, SharedCallback> {
   public:
    using Post::Post;
    ScopedAStatus notify(aidl_hal::ErrorStatus status,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& behind) override {
        const auto code = static_cast<int32_t>(status);
        if ((code == 0) != (behind != nullptr)) {
            mProcess->schedule->accuse(
                    "hidl.notified_model: a failure with a model, or a success without");
        }
        std::shared_ptr<aidl_hal::IPreparedModel> model;
        if (behind != nullptr) model = SharedRefBase::make<PreparedModel>(mProcess, behind);
        receive(HalVersion::V1_0, code,
                [model](auto& client, HalVersion, int32_t told, bool hasResults) {
                    (void)client.notify(static_cast<aidl_hal::ErrorStatus>(told),
                                        hasResults ? model : nullptr);
                });
        return ScopedAStatus::ok();
    }
};

class DeviceObject : public Wire<aidl_hal::IDevice> {
   public:
    using Wire::Wire;

   protected:
    ScopedAStatus launch(std::string_view method, const SharedCallback& client, const auto& behind,
                         const auto&...) const {
        const uint32_t how = callOf(method);
        FaultSchedule& schedule = *mProcess->schedule;
        if (const auto failure = mProcess->enter(how); failure) return statusOf(*failure);
        const auto planned = [&] {
            return ScopedAStatus::fromServiceSpecificError(schedule.code());
        };
        if (schedule.fire("STATUS", how)) return planned();
        if (schedule.fire("STATUS_KEPT", how)) {
            schedule.keep([client] {});
            return planned();
        }
        const auto post = SharedRefBase::make<PreparationPost>(mProcess, client);
        ScopedAStatus status = behind(*inner(), post);
        post->expectStatus(status.getServiceSpecificError());
        if (const auto failure = mProcess->leave(how); failure) return statusOf(*failure);
        if (status.isOk() && schedule.fire("STATUS_LIES", how)) return planned();
        return status;
    }
};

class Device final : public fakes::AidlDevice<DeviceObject> {
   public:
    using AidlDevice::AidlDevice;
    ScopedAStatus allocate(const aidl_hal::BufferDesc& desc, const Models& models,
                           const Roles& inputs, const Roles& outputs,
                           aidl_hal::DeviceBuffer* r) override {
        Models targets;  // the objects in this process
        for (const auto& each : models) {
            targets.push_back({dynamic_cast<const PreparedModel&>(*each.preparedModel).inner()});
        }
        return AidlDevice::allocate(desc, targets, inputs, outputs, r);
    }
};

}  // namespace nn::driver_faults::aidl_objects

namespace nn::driver_faults {

// ---- faults in results

void spoil(const SharedProcess&, const auto&) {}
inline void spoil(const SharedProcess& process, aidl_hal::Timing* launched) {
    aidl_objects::Spoilt(*process->schedule).into(*launched);
}
inline void spoil(const SharedProcess& process, aidl_hal::ExecutionResult* result) {
    aidl_objects::Spoilt(*process->schedule).into(*result);
}
inline void spoil(const SharedProcess& process, aidl_hal::FencedExecutionResult* result) {
    for (const char* fault : {"FENCE_LATER", "FENCE_NEVER", "FENCE_FAILS"}) {
        if (!process->schedule->fire(fault)) continue;
        const hidl_handle fence = makeFence(*process->schedule, fault);
        result->syncFence.set(dup(fence.getNativeHandle()->data[0]));
    }
    aidl_objects::wire<aidl_objects::FencedCallback>(process, result->callback);
}
inline void spoil(const SharedProcess& process, std::shared_ptr<aidl_hal::IBurst>* burst) {
    aidl_objects::wire<aidl_objects::Burst>(process, *burst);
}
inline void spoil(const SharedProcess& process, std::shared_ptr<aidl_hal::IExecution>* execution) {
    aidl_objects::wire<aidl_objects::Execution>(process, *execution);
}
inline void spoil(const SharedProcess& process, aidl_hal::DeviceBuffer* buffer) {
    aidl_objects::wire<aidl_objects::Buffer>(process, buffer->buffer);
    if (process->schedule->fire("NO_TOKEN")) buffer->token = 0;
}
inline void spoil(const SharedProcess& process, std::string* version) {
    if (process->schedule->fire("NULL_RESULT")) version->clear();
}
inline void spoil(const SharedProcess& process, std::vector<bool>* supported) {
    if (process->schedule->fire("SUPPORT_TOO_MANY")) supported->push_back(true);
}

// ---- drivers of all versions

struct Driver {
    SharedProcess process{};
    sp<V1_3::IDevice> hidl{};  // or
    std::shared_ptr<aidl_hal::IDevice> aidl{};
};

inline Driver makeDriver(const SharedSchedule& schedule, HalVersion version, bool isThreaded) {
    Driver driver{.process = std::make_shared<Process>(schedule)};
    const auto options = adaptOptions(schedule, isThreaded);
    if (version >= HalVersion::AIDL1) {
        driver.aidl = ndk::SharedRefBase::make<aidl_objects::Device>(
                driver.process,
                hal::adapter::adaptAidl(makeDevice(schedule), version, options).value());
    } else {
        driver.hidl = sp<Device>::make(driver.process,
                                       hal::adapter::adapt(makeDevice(schedule), options).value());
    }
    return driver;
}

}  // namespace nn::driver_faults
