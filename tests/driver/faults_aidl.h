// The objects of an AIDL driver with fault injection; see faults_driver.h. Each object stands for
// one in the driver's process, as behind binder.
#pragma once

#include "driver/faults_driver.h"
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
    Wire(SharedProcess process, std::shared_ptr<Interface> behind)
        : ndk::BpCInterface<Interface>(ndk::SpAIBinder(std::make_shared<Binder>(process))),
          mProcess(std::move(process)),
          mBehind(std::move(behind)) {}

    ScopedAStatus getInterfaceVersion(int32_t* version) override {
        return mBehind->getInterfaceVersion(version);
    }
    const std::shared_ptr<Interface>& behind() const { return mBehind; }

   protected:
    bool fire(std::string_view fault) const { return mProcess->schedule->fire(fault); }

    // A method: behind() calls the target object, and spoil() injects faults into its results.
    template <class Behind, class Spoil>
    ScopedAStatus call(uint32_t call, const Behind& behind, const Spoil& spoil) const {
        FaultSchedule& schedule = *mProcess->schedule;
        if (schedule.skips(call)) call = NOWHERE;
        if (const auto failure = mProcess->enter(call); failure) return statusOf(*failure);
        if (schedule.fire("STATUS", call)) {
            return ScopedAStatus::fromServiceSpecificError(schedule.code());
        }
        ScopedAStatus status = behind();
        if (status.isOk() && call != NOWHERE) spoil();
        if (schedule.fire("DEAD_AFTER", call)) mProcess->die();
        if (const auto failure = mProcess->leave(call); failure) return statusOf(*failure);
        return status;
    }
    template <class Behind>
    ScopedAStatus call(uint32_t call, const Behind& behind) const {
        return this->call(call, behind, [] {});
    }

    const SharedProcess mProcess;
    const std::shared_ptr<Interface> mBehind;
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
        return call(
                INFO, [&] { return mBehind->getExecutionInfo(launched, fenced, status); },
                [&] { Spoilt(*mProcess->schedule).into(*launched); });
    }
};

// Objects that execute: prepared models, executions and bursts.
template <class Interface>
class Executing : public Wire<Interface> {
   public:
    using Wire<Interface>::Wire;

   protected:
    template <class Behind>
    ScopedAStatus execute(aidl_hal::ExecutionResult* result, uint32_t how,
                          const Behind& behind) const {
        return this->call(
                how, [&] { return behind(result); },
                [&] { Spoilt(*this->mProcess->schedule).into(*result); });
    }
    template <class Behind>
    ScopedAStatus launch(aidl_hal::FencedExecutionResult* result, const Behind& behind) const {
        return this->call(
                FENCED, [&] { return behind(result); },
                [&] {
                    for (const char* fault : {"FENCE_LATER", "FENCE_NEVER", "FENCE_FAILS"}) {
                        if (!this->fire(fault)) continue;
                        const hidl_handle fence = makeFence(*this->mProcess->schedule, fault);
                        result->syncFence.set(dup(fence.getNativeHandle()->data[0]));
                    }
                    wire<FencedCallback>(this->mProcess, result->callback);
                });
    }
};

class Execution final : public Executing<aidl_hal::IExecution> {
   public:
    using Executing::Executing;
    ScopedAStatus executeSynchronously(int64_t d, aidl_hal::ExecutionResult* result) override {
        return execute(result, EXECUTE_SYNC,
                       [&](auto* r) { return mBehind->executeSynchronously(d, r); });
    }
    ScopedAStatus executeFenced(const std::vector<ScopedFileDescriptor>& f, int64_t d, int64_t a,
                                aidl_hal::FencedExecutionResult* result) override {
        return launch(result, [&](auto* r) { return mBehind->executeFenced(f, d, a, r); });
    }
};

class Burst final : public Executing<aidl_hal::IBurst> {
   public:
    using Executing::Executing;
    using Tokens = std::vector<int64_t>;
    ScopedAStatus executeSynchronously(const aidl_hal::Request& q, const Tokens& t, bool m,
                                       int64_t d, int64_t l,
                                       aidl_hal::ExecutionResult* result) override {
        return execute(result, BURST,
                       [&](auto* r) { return mBehind->executeSynchronously(q, t, m, d, l, r); });
    }
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request& q, const Tokens& t,
                                                 const aidl_hal::ExecutionConfig& c, int64_t d,
                                                 aidl_hal::ExecutionResult* result) override {
        return execute(result, BURST, [&](auto* r) {
            return mBehind->executeSynchronouslyWithConfig(q, t, c, d, r);
        });
    }
    ScopedAStatus releaseMemoryResource(int64_t token) override {
        return call(NOWHERE, [&] { return mBehind->releaseMemoryResource(token); });
    }
};

class PreparedModel final : public Executing<aidl_hal::IPreparedModel> {
   public:
    using Executing::Executing;
    using Files = std::vector<ScopedFileDescriptor>;
    ScopedAStatus executeSynchronously(const aidl_hal::Request& q, bool m, int64_t d, int64_t l,
                                       aidl_hal::ExecutionResult* result) override {
        return execute(result, EXECUTE_SYNC,
                       [&](auto* r) { return mBehind->executeSynchronously(q, m, d, l, r); });
    }
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request& q,
                                                 const aidl_hal::ExecutionConfig& c, int64_t d,
                                                 aidl_hal::ExecutionResult* result) override {
        return execute(result, EXECUTE_SYNC, [&](auto* r) {
            return mBehind->executeSynchronouslyWithConfig(q, c, d, r);
        });
    }
    ScopedAStatus executeFenced(const aidl_hal::Request& q, const Files& f, bool m, int64_t d,
                                int64_t l, int64_t a,
                                aidl_hal::FencedExecutionResult* result) override {
        return launch(result, [&](auto* r) { return mBehind->executeFenced(q, f, m, d, l, a, r); });
    }
    ScopedAStatus executeFencedWithConfig(const aidl_hal::Request& q, const Files& f,
                                          const aidl_hal::ExecutionConfig& c, int64_t d, int64_t a,
                                          aidl_hal::FencedExecutionResult* result) override {
        return launch(result,
                      [&](auto* r) { return mBehind->executeFencedWithConfig(q, f, c, d, a, r); });
    }
    ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* burst) override {
        return call(
                CONFIGURE, [&] { return mBehind->configureExecutionBurst(burst); },
                [&] { wire<Burst>(mProcess, *burst); });
    }
    ScopedAStatus createReusableExecution(
            const aidl_hal::Request& q, const aidl_hal::ExecutionConfig& c,
            std::shared_ptr<aidl_hal::IExecution>* execution) override {
        return call(
                REUSE, [&] { return mBehind->createReusableExecution(q, c, execution); },
                [&] { wire<Execution>(mProcess, *execution); });
    }
};

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
        receive(0, code, [model](auto& client, int, int32_t told, bool hasResults) {
            (void)client.notify(static_cast<aidl_hal::ErrorStatus>(told),
                                hasResults ? model : nullptr);
        });
        return ScopedAStatus::ok();
    }
};

class Buffer final : public Wire<aidl_hal::IBuffer> {
   public:
    using Wire::Wire;
    ScopedAStatus copyTo(const aidl_hal::Memory& dst) override {
        return call(COPY, [&] { return mBehind->copyTo(dst); });
    }
    ScopedAStatus copyFrom(const aidl_hal::Memory& src, const std::vector<int32_t>& d) override {
        return call(COPY, [&] { return mBehind->copyFrom(src, d); });
    }
};

class Device final : public Wire<aidl_hal::IDevice> {
   public:
    using Wire::Wire;
    using Files = std::vector<ScopedFileDescriptor>;
    using Roles = std::vector<aidl_hal::BufferRole>;

    ScopedAStatus getCapabilities(aidl_hal::Capabilities* r) override {
        return call(CREATE, [&] { return mBehind->getCapabilities(r); });
    }
    ScopedAStatus getNumberOfCacheFilesNeeded(aidl_hal::NumberOfCacheFiles* r) override {
        return call(CREATE, [&] { return mBehind->getNumberOfCacheFilesNeeded(r); });
    }
    ScopedAStatus getSupportedExtensions(std::vector<aidl_hal::Extension>* r) override {
        return call(CREATE, [&] { return mBehind->getSupportedExtensions(r); });
    }
    ScopedAStatus getType(aidl_hal::DeviceType* r) override {
        return call(CREATE, [&] { return mBehind->getType(r); });
    }
    ScopedAStatus getVersionString(std::string* r) override {
        return call(
                CREATE, [&] { return mBehind->getVersionString(r); },
                [&] {
                    if (fire("NULL_RESULT")) r->clear();
                });
    }
    ScopedAStatus getSupportedOperations(const aidl_hal::Model& model,
                                         std::vector<bool>* r) override {
        return call(
                SUPPORTED, [&] { return mBehind->getSupportedOperations(model, r); },
                [&] {
                    if (fire("SUPPORT_TOO_MANY")) r->push_back(true);
                });
    }
    ScopedAStatus prepareModel(const aidl_hal::Model& model, aidl_hal::ExecutionPreference p,
                               aidl_hal::Priority q, int64_t deadline, const Files& m,
                               const Files& d, const std::vector<uint8_t>& t,
                               const SharedCallback& client) override {
        return launch(PREPARE, client, [&](const SharedCallback& post) {
            return mBehind->prepareModel(model, p, q, deadline, m, d, t, post);
        });
    }
    ScopedAStatus prepareModelWithConfig(const aidl_hal::Model& model,
                                         const aidl_hal::PrepareModelConfig& config,
                                         const SharedCallback& client) override {
        return launch(PREPARE, client, [&](const SharedCallback& post) {
            return mBehind->prepareModelWithConfig(model, config, post);
        });
    }
    ScopedAStatus prepareModelFromCache(int64_t deadline, const Files& m, const Files& d,
                                        const std::vector<uint8_t>& t,
                                        const SharedCallback& client) override {
        return launch(CACHED, client, [&](const SharedCallback& post) {
            return mBehind->prepareModelFromCache(deadline, m, d, t, post);
        });
    }
    ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                           const std::vector<aidl_hal::IPreparedModelParcel>& models,
                           const Roles& inputs, const Roles& outputs,
                           aidl_hal::DeviceBuffer* r) override {
        // The target objects in this process.
        std::vector<aidl_hal::IPreparedModelParcel> behind;
        for (const auto& each : models) {
            behind.push_back({dynamic_cast<const PreparedModel&>(*each.preparedModel).behind()});
        }
        return call(
                ALLOCATE, [&] { return mBehind->allocate(desc, behind, inputs, outputs, r); },
                [&] {
                    wire<Buffer>(mProcess, r->buffer);
                    if (fire("NO_TOKEN")) r->token = 0;
                });
    }

   private:
    // A method that launches work and notifies a callback when it ends.
    template <class Behind>
    ScopedAStatus launch(uint32_t how, const SharedCallback& client, const Behind& behind) const {
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
        ScopedAStatus status = behind(post);
        post->expectAnswerOf(status.getServiceSpecificError());
        if (const auto failure = mProcess->leave(how); failure) return statusOf(*failure);
        if (status.isOk() && schedule.fire("STATUS_LIES", how)) return planned();
        return status;
    }
};

}  // namespace nn::driver_faults::aidl_objects

namespace nn::driver_faults {

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
