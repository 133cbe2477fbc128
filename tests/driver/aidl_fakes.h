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
#include "fakes/aidl_methods.h"
#include "nnapi/hal/aidl/forwarding.h"

namespace nn::fake_aidl {

using fakes::aidl::Files;
using fakes::aidl::Tokens;
using ndk::ScopedAStatus;
using ndk::SharedRefBase;
using SharedCallback = std::shared_ptr<aidl_hal::IPreparedModelCallback>;

// State shared by the objects of one driver.
class Notes {
   public:
    // Failures by method name.
    std::map<std::string, std::function<ScopedAStatus()>, std::less<>> fails{};

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
    ScopedAStatus call(std::string_view name) {
        const std::lock_guard lock(mMutex);
        mCalls.emplace_back(name);
        const auto fail = fails.find(name);
        return fail == fails.end() ? ScopedAStatus::ok() : fail->second();
    }

    // Keeps the arguments of a call.
    void keep(const auto&...) {}
    void keep(const aidl_hal::Request&, bool, int64_t d, int64_t l) {
        deadline = d;
        loopTimeout = l;
    }
    void keep(const aidl_hal::Request&, const aidl_hal::ExecutionConfig& c, int64_t d) {
        deadline = d;
        loopTimeout = c.loopTimeoutDurationNs;
        keepHints(c.executionHints, c);
    }
    void keep(const aidl_hal::Request& q, const Files&, const aidl_hal::ExecutionConfig& c,
              int64_t d, int64_t) {
        keep(q, c, d);
    }
    void keep(const aidl_hal::Request&, const Tokens& t, bool, int64_t, int64_t) { tokens = t; }
    void keep(const aidl_hal::Request&, const Tokens& t, const aidl_hal::ExecutionConfig& c,
              int64_t) {
        tokens = t;
        keepHints(c.executionHints, c);
    }
    void keep(const aidl_hal::Model&, aidl_hal::ExecutionPreference, aidl_hal::Priority, int64_t d,
              const Files&, const Files&, const std::vector<uint8_t>&) {
        deadline = d;
    }
    void keep(const aidl_hal::Model&, const aidl_hal::PrepareModelConfig& c) {
        deadline = c.deadlineNs;
        keepHints(c.compilationHints, c);
    }
    void keep(int64_t d, const Files&, const Files&, const std::vector<uint8_t>&) { deadline = d; }

    // Sets a result instead of the device; nothing if the device shall.
    using Replaced = std::optional<ScopedAStatus>;
    Replaced replace(const auto&) const { return {}; }
    Replaced replace(std::string* r) const { return put(version, r); }
    Replaced replace(int32_t* r) const { return put(interfaceVersion, r); }
    Replaced replace(aidl_hal::DeviceType* r) const { return put(type, r); }
    Replaced replace(aidl_hal::NumberOfCacheFiles* r) const { return put(files, r); }
    Replaced replace(std::vector<aidl_hal::Extension>* r) const { return put(extensions, r); }
    Replaced replace(aidl_hal::Capabilities* r) const { return put(capabilities, r); }
    Replaced replace(std::vector<bool>* r) const { return put(supported, r); }
    Replaced replace(aidl_hal::ExecutionResult* r) const {
        return execute ? Replaced(execute(r)) : std::nullopt;
    }
    Replaced replace(aidl_hal::FencedExecutionResult* r) const {
        return launch ? Replaced(launch(r)) : std::nullopt;
    }

   private:
    template <class T>
    static Replaced put(const std::optional<T>& value, T* result) {
        if (!value) return {};
        *result = *value;
        return ScopedAStatus::ok();
    }
    void keepHints(const auto& all, const auto& config) {
        hints = all.size();
        names = config.extensionNameToPrefix.size();
    }

    mutable std::mutex mMutex{};
    std::vector<std::string> mCalls{};
};
using SharedNotes = std::shared_ptr<Notes>;

// The base of all objects of a driver.
template <class Interface>
class Noting : public hal::ForwardingAidl<Interface> {
   public:
    Noting(SharedNotes n, std::shared_ptr<Interface> inner)
        : hal::ForwardingAidl<Interface>(std::move(inner)), notes(std::move(n)) {}

    const SharedNotes notes;

   protected:
    ScopedAStatus call(std::string_view method, const auto& result, const auto& behind,
                       const auto&... arguments) {
        notes->keep(arguments...);
        ScopedAStatus failed = notes->call(method);
        if (!failed.isOk()) return failed;
        if (auto replaced = notes->replace(result)) return *std::move(replaced);
        ScopedAStatus made = behind(*this->inner());
        wrap(notes, result);
        return made;
    }
    ScopedAStatus launch(std::string_view method, const SharedCallback& client, const auto& behind,
                         const auto&... arguments);
};

class Burst final : public fakes::AidlBurst<Noting<aidl_hal::IBurst>> {
   public:
    using AidlBurst::AidlBurst;
    ScopedAStatus releaseMemoryResource(int64_t token) override {
        notes->released.push_back(token);
        return AidlBurst::releaseMemoryResource(token);
    }
};
using Execution = fakes::AidlExecution<Noting<aidl_hal::IExecution>>;
using PreparedModel = fakes::AidlPreparedModel<Noting<aidl_hal::IPreparedModel>>;

// Changes the objects that a call returns.
void wrap(const SharedNotes&, const auto&) {}
inline void wrap(const SharedNotes& notes, std::shared_ptr<aidl_hal::IBurst>* r) {
    if (*r != nullptr) *r = SharedRefBase::make<Burst>(notes, *r);
    if (notes->isBurstNull) *r = nullptr;
}
inline void wrap(const SharedNotes& notes, std::shared_ptr<aidl_hal::IExecution>* r) {
    if (*r != nullptr) *r = SharedRefBase::make<Execution>(notes, *r);
    if (notes->isExecutionNull) *r = nullptr;
}
inline void wrap(const SharedNotes& notes, aidl_hal::DeviceBuffer* r) {
    if (notes->token) r->token = *notes->token;
    if (notes->isBufferNull) r->buffer = nullptr;
}

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

template <class Interface>
ScopedAStatus Noting<Interface>::launch(std::string_view method, const SharedCallback& client,
                                        const auto& behind, const auto&... arguments) {
    notes->keep(arguments...);
    ScopedAStatus failed = notes->call(method);
    if (!failed.isOk()) return failed;
    return behind(*this->inner(), SharedRefBase::make<Client>(notes, client));
}

class Device final : public fakes::AidlDevice<Noting<aidl_hal::IDevice>> {
   public:
    Device(SharedDevice device, HalVersion version)
        : AidlDevice(std::make_shared<Notes>(),
                     hal::adapter::adaptAidl(std::move(device), version,
                                             {.executor = driver_adapter_fakes::runInline})
                             .value()) {}

    ScopedAStatus getInterfaceVersion(int32_t* r) override {
        return call("getInterfaceVersion", r,
                    [&](auto& target) { return target.getInterfaceVersion(r); });
    }
    ScopedAStatus allocate(const aidl_hal::BufferDesc& desc, const Models& models,
                           const Roles& inputs, const Roles& outputs,
                           aidl_hal::DeviceBuffer* r) override {
        Models known;
        for (const auto& each : models) {
            const auto* noting = dynamic_cast<const PreparedModel*>(each.preparedModel.get());
            known.push_back({noting == nullptr ? each.preparedModel : noting->inner()});
        }
        return AidlDevice::allocate(desc, known, inputs, outputs, r);
    }
};

}  // namespace nn::fake_aidl
