// Scriptable AIDL drivers in front of an adapted canonical device.
//
//   auto driver = ndk::SharedRefBase::make<fake_aidl::Device>(script, HalVersion::AIDL2);
//   driver->notes->fails["getType"] = EX_ILLEGAL_STATE;
//   driver->notes->type = aidl_hal::DeviceType{77};
//   EXPECT_THAT(driver->notes->calls(), ElementsAre("getVersionString", "getType"));
//
// The driver records the name of each call and its arguments. Values that a test sets replace those
// of the device.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/adapter_fakes.h"
#include "nnapi/hal/aidl/forwarding.h"

namespace nn::fake_aidl {

using ndk::ScopedAStatus;
using ndk::SharedRefBase;
using Files = std::vector<ndk::ScopedFileDescriptor>;
using SharedCallback = std::shared_ptr<aidl_hal::IPreparedModelCallback>;

// State shared by the objects of one driver.
class Notes {
   public:
    // Failures by method name.
    std::map<std::string, std::function<ScopedAStatus()>> fails{};

    // Replace the values of the device.
    std::optional<std::string> version{};
    std::optional<int32_t> interfaceVersion{};
    std::optional<aidl_hal::DeviceType> type{};
    std::optional<aidl_hal::NumberOfCacheFiles> files{};
    std::optional<std::vector<aidl_hal::Extension>> extensions{};
    std::optional<aidl_hal::Capabilities> capabilities{};
    std::optional<std::vector<bool>> supported{};
    std::optional<int32_t> token{};
    bool isBufferNull = false;
    bool isBurstNull = false;
    bool isExecutionNull = false;
    std::function<ScopedAStatus(aidl_hal::ExecutionResult*)> execute{};
    std::function<ScopedAStatus(aidl_hal::FencedExecutionResult*)> launch{};

    // The arguments of the last call that had them.
    int64_t deadline = 0;
    int64_t loopTimeout = 0;
    size_t hints = 0;
    size_t names = 0;
    std::vector<int64_t> tokens{};
    std::vector<int64_t> released{};

    std::vector<std::string> calls() const {
        const std::lock_guard lock(mMutex);
        return mCalls;
    }
    void forgetCalls() {
        const std::lock_guard lock(mMutex);
        mCalls.clear();
    }
    // Records a call; returns its scripted failure, or ok.
    ScopedAStatus call(const std::string& name) {
        const std::lock_guard lock(mMutex);
        mCalls.push_back(name);
        const auto fail = fails.find(name);
        return fail == fails.end() ? ScopedAStatus::ok() : fail->second();
    }
    template <class Behind>
    ScopedAStatus call(const std::string& name, const Behind& behind) {
        ScopedAStatus failed = call(name);
        return failed.isOk() ? behind() : std::move(failed);
    }
    // The same for a method that executes or launches.
    template <class T, class Behind>
    ScopedAStatus call(const std::string& name, T* result,
                       const std::function<ScopedAStatus(T*)>& other, const Behind& behind) {
        return call(name, [&] { return other ? other(result) : behind(); });
    }
    // The same for a method whose result can be replaced.
    template <class T, class Behind>
    ScopedAStatus call(const std::string& name, T* result, const std::optional<T>& other,
                       const Behind& behind) {
        ScopedAStatus failed = call(name);
        if (!failed.isOk()) return failed;
        if (!other) return behind();
        *result = *other;
        return ScopedAStatus::ok();
    }

   private:
    mutable std::mutex mMutex{};
    std::vector<std::string> mCalls{};
};
using SharedNotes = std::shared_ptr<Notes>;

template <class Forwarding, class Interface>
class Noting : public Forwarding {
   public:
    Noting(SharedNotes n, const std::shared_ptr<Interface>& b)
        : Forwarding(b), notes(std::move(n)), behind(this->inner()) {}
    const SharedNotes notes;
    const std::shared_ptr<Interface>& behind;
};

class Execution final : public Noting<hal::ForwardingAidlExecution, aidl_hal::IExecution> {
   public:
    using Noting::Noting;
    ScopedAStatus executeSynchronously(int64_t d, aidl_hal::ExecutionResult* r) override {
        return notes->call("IExecution::executeSynchronously", r, notes->execute,
                           [&] { return behind->executeSynchronously(d, r); });
    }
    ScopedAStatus executeFenced(const Files& f, int64_t d, int64_t a,
                                aidl_hal::FencedExecutionResult* r) override {
        return notes->call("IExecution::executeFenced", r, notes->launch,
                           [&] { return behind->executeFenced(f, d, a, r); });
    }
};

class Burst final : public Noting<hal::ForwardingAidlBurst, aidl_hal::IBurst> {
   public:
    using Noting::Noting;
    ScopedAStatus executeSynchronously(const aidl_hal::Request& q, const std::vector<int64_t>& t,
                                       bool m, int64_t d, int64_t l,
                                       aidl_hal::ExecutionResult* r) override {
        notes->tokens = t;
        return notes->call("IBurst::executeSynchronously", r, notes->execute,
                           [&] { return behind->executeSynchronously(q, t, m, d, l, r); });
    }
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request& q,
                                                 const std::vector<int64_t>& t,
                                                 const aidl_hal::ExecutionConfig& c, int64_t d,
                                                 aidl_hal::ExecutionResult* r) override {
        notes->tokens = t;
        notes->hints = c.executionHints.size();
        return notes->call("IBurst::executeSynchronouslyWithConfig", r, notes->execute,
                           [&] { return behind->executeSynchronouslyWithConfig(q, t, c, d, r); });
    }
    ScopedAStatus releaseMemoryResource(int64_t token) override {
        notes->released.push_back(token);
        return notes->call("releaseMemoryResource",
                           [&] { return behind->releaseMemoryResource(token); });
    }
};

class PreparedModel final
    : public Noting<hal::ForwardingAidlPreparedModel, aidl_hal::IPreparedModel> {
   public:
    using Noting::Noting;
    ScopedAStatus executeSynchronously(const aidl_hal::Request& q, bool m, int64_t d, int64_t l,
                                       aidl_hal::ExecutionResult* r) override {
        notes->deadline = d;
        notes->loopTimeout = l;
        return notes->call("executeSynchronously", r, notes->execute,
                           [&] { return behind->executeSynchronously(q, m, d, l, r); });
    }
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request& q,
                                                 const aidl_hal::ExecutionConfig& c, int64_t d,
                                                 aidl_hal::ExecutionResult* r) override {
        keep(c, d);
        return notes->call("executeSynchronouslyWithConfig", r, notes->execute,
                           [&] { return behind->executeSynchronouslyWithConfig(q, c, d, r); });
    }
    ScopedAStatus executeFenced(const aidl_hal::Request& q, const Files& f, bool m, int64_t d,
                                int64_t l, int64_t a, aidl_hal::FencedExecutionResult* r) override {
        return notes->call("executeFenced", r, notes->launch,
                           [&] { return behind->executeFenced(q, f, m, d, l, a, r); });
    }
    ScopedAStatus executeFencedWithConfig(const aidl_hal::Request& q, const Files& f,
                                          const aidl_hal::ExecutionConfig& c, int64_t d, int64_t a,
                                          aidl_hal::FencedExecutionResult* r) override {
        keep(c, d);
        return notes->call("executeFencedWithConfig", r, notes->launch,
                           [&] { return behind->executeFencedWithConfig(q, f, c, d, a, r); });
    }
    ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* r) override {
        return notes->call("configureExecutionBurst", [&] {
            ScopedAStatus made = behind->configureExecutionBurst(r);
            if (made.isOk()) *r = SharedRefBase::make<Burst>(notes, *r);
            if (notes->isBurstNull) *r = nullptr;
            return made;
        });
    }
    ScopedAStatus createReusableExecution(const aidl_hal::Request& q,
                                          const aidl_hal::ExecutionConfig& c,
                                          std::shared_ptr<aidl_hal::IExecution>* r) override {
        return notes->call("createReusableExecution", [&] {
            ScopedAStatus made = behind->createReusableExecution(q, c, r);
            if (made.isOk()) *r = SharedRefBase::make<Execution>(notes, *r);
            if (notes->isExecutionNull) *r = nullptr;
            return made;
        });
    }

   private:
    void keep(const aidl_hal::ExecutionConfig& config, int64_t deadline) {
        notes->deadline = deadline;
        notes->loopTimeout = config.loopTimeoutDurationNs;
        notes->hints = config.executionHints.size();
        notes->names = config.extensionNameToPrefix.size();
    }
};

// Passes prepared models that record their calls to the client.
class Client final : public aidl_hal::BnPreparedModelCallback {
   public:
    Client(SharedNotes notes, SharedCallback client)
        : mNotes(std::move(notes)), mClient(std::move(client)) {}
    ScopedAStatus notify(aidl_hal::ErrorStatus status,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& model) override {
        if (model == nullptr) return mClient->notify(status, nullptr);
        return mClient->notify(status, SharedRefBase::make<PreparedModel>(mNotes, model));
    }

   private:
    const SharedNotes mNotes;
    const SharedCallback mClient;
};

class Device final : public Noting<hal::ForwardingAidlDevice, aidl_hal::IDevice> {
   public:
    Device(SharedDevice device, HalVersion version)
        : Noting(std::make_shared<Notes>(),
                 hal::adapter::adaptAidl(std::move(device), version, inThisThread()).value()) {}
    static hal::adapter::AdaptOptions inThisThread() {
        return {.executor = [](const hal::adapter::Task& task, const OptionalTimePoint&) {
            task();
        }};
    }

    ScopedAStatus getInterfaceVersion(int32_t* r) override {
        return notes->call("getInterfaceVersion", r, notes->interfaceVersion,
                           [&] { return behind->getInterfaceVersion(r); });
    }
    ScopedAStatus getCapabilities(aidl_hal::Capabilities* r) override {
        return notes->call("getCapabilities", r, notes->capabilities,
                           [&] { return behind->getCapabilities(r); });
    }
    ScopedAStatus getNumberOfCacheFilesNeeded(aidl_hal::NumberOfCacheFiles* r) override {
        return notes->call("getNumberOfCacheFilesNeeded", r, notes->files,
                           [&] { return behind->getNumberOfCacheFilesNeeded(r); });
    }
    ScopedAStatus getSupportedExtensions(std::vector<aidl_hal::Extension>* r) override {
        return notes->call("getSupportedExtensions", r, notes->extensions,
                           [&] { return behind->getSupportedExtensions(r); });
    }
    ScopedAStatus getType(aidl_hal::DeviceType* r) override {
        return notes->call("getType", r, notes->type, [&] { return behind->getType(r); });
    }
    ScopedAStatus getVersionString(std::string* r) override {
        return notes->call("getVersionString", r, notes->version,
                           [&] { return behind->getVersionString(r); });
    }
    ScopedAStatus getSupportedOperations(const aidl_hal::Model& model,
                                         std::vector<bool>* r) override {
        return notes->call("getSupportedOperations", r, notes->supported,
                           [&] { return behind->getSupportedOperations(model, r); });
    }
    ScopedAStatus prepareModel(const aidl_hal::Model& model, aidl_hal::ExecutionPreference p,
                               aidl_hal::Priority q, int64_t deadline, const Files& m,
                               const Files& d, const std::vector<uint8_t>& t,
                               const SharedCallback& client) override {
        notes->deadline = deadline;
        return notes->call("prepareModel", [&] {
            return behind->prepareModel(model, p, q, deadline, m, d, t,
                                        SharedRefBase::make<Client>(notes, client));
        });
    }
    ScopedAStatus prepareModelWithConfig(const aidl_hal::Model& model,
                                         const aidl_hal::PrepareModelConfig& config,
                                         const SharedCallback& client) override {
        notes->deadline = config.deadlineNs;
        notes->hints = config.compilationHints.size();
        notes->names = config.extensionNameToPrefix.size();
        return notes->call("prepareModelWithConfig", [&] {
            return behind->prepareModelWithConfig(model, config,
                                                  SharedRefBase::make<Client>(notes, client));
        });
    }
    ScopedAStatus prepareModelFromCache(int64_t deadline, const Files& m, const Files& d,
                                        const std::vector<uint8_t>& t,
                                        const SharedCallback& client) override {
        notes->deadline = deadline;
        return notes->call("prepareModelFromCache", [&] {
            return behind->prepareModelFromCache(deadline, m, d, t,
                                                 SharedRefBase::make<Client>(notes, client));
        });
    }
    ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                           const std::vector<aidl_hal::IPreparedModelParcel>& models,
                           const std::vector<aidl_hal::BufferRole>& inputs,
                           const std::vector<aidl_hal::BufferRole>& outputs,
                           aidl_hal::DeviceBuffer* r) override {
        std::vector<aidl_hal::IPreparedModelParcel> known;
        for (const auto& each : models) {
            const auto* noting = dynamic_cast<const PreparedModel*>(each.preparedModel.get());
            known.push_back({noting == nullptr ? each.preparedModel : noting->behind});
        }
        return notes->call("allocate", [&] {
            ScopedAStatus made = behind->allocate(desc, known, inputs, outputs, r);
            if (notes->token) r->token = *notes->token;
            if (notes->isBufferNull) r->buffer = nullptr;
            return made;
        });
    }
};

}  // namespace nn::fake_aidl
