// Scriptable drivers of HAL 1.0 to 1.3.
//
//   auto driver = sp<fake::Device>::make(HalVersion::V1_2);
//   driver->replies["getType"] = {.code = 1};                  // DEVICE_UNAVAILABLE
//   driver->onPrepare = [](const sp<V1_0::IPreparedModelCallback>& callback) { ... };
//   auto device = wrap("fake", driver);
//   EXPECT_THAT(driver->calls(), ElementsAre("getVersionString", "getType"));
//
// One class implements all versions: it has the methods of 1.3 and reports its version by its chain
// of interfaces. It records each call by its HAL name. Without a script, a driver has no cache,
// supports every model and computes z = x + y. Set the scripts before the calls that use them;
// calls come from any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "nnapi/convert.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/memory.h"

namespace nn::fake {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;

// Failures of the transport.
inline hidl::Status dead() { return hidl::Status::fromStatusT(hidl::DEAD_OBJECT); }
inline hidl::Status lost() { return hidl::Status::fromStatusT(hidl::FAILED_TRANSACTION); }

struct Reply {
    hidl::Status transport{};
    int32_t code = 0;
    int times = 1;  // how many times the results are delivered
};

// The number of live objects, to detect leaks.
inline std::atomic<int> living{0};

// Common parts of all fakes: recording calls, looking up replies, notifying of a death.
template <class Interface>
class Object : public Interface {
   public:
    Object() { ++living; }
    ~Object() override { --living; }

    // Replies by method name.
    std::map<std::string, Reply> replies{};
    bool linkAnswer = true;

    std::vector<std::string> calls() const {
        const std::lock_guard lock(mMutex);
        return mCalls;
    }
    void forgetCalls() {
        const std::lock_guard lock(mMutex);
        mCalls.clear();
    }
    size_t links() const {
        const std::lock_guard lock(mMutex);
        return mRecipients.size();
    }

    // Ends the process of the object: notifies the recipients on this thread; later calls fail.
    void die() {
        std::vector<sp<hidl::hidl_death_recipient>> recipients;
        {
            const std::lock_guard lock(mMutex);
            mIsDead = true;
            recipients = mRecipients;
        }
        for (const auto& recipient : recipients) recipient->serviceDied(0, nullptr);
    }

    Return<void> ping() override { return Return<void>(call("ping").transport); }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient, uint64_t) override {
        const Reply reply = call("linkToDeath");
        if (!reply.transport.isOk()) return reply.transport;
        const std::lock_guard lock(mMutex);
        if (linkAnswer) mRecipients.push_back(recipient);
        return linkAnswer;
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        const Reply reply = call("unlinkToDeath");
        if (!reply.transport.isOk()) return reply.transport;
        const std::lock_guard lock(mMutex);
        return std::erase(mRecipients, recipient) != 0;
    }

   protected:
    Reply call(const std::string& name) {
        const std::lock_guard lock(mMutex);
        mCalls.push_back(name);
        const auto reply = replies.find(name);
        if (mIsDead) return {.transport = dead()};
        return reply == replies.end() ? Reply() : reply->second;
    }

    // A method whose results go to a callback, the status first.
    template <class Status, class Callback, class... Values>
    Return<void> answer(const std::string& name, const Callback& callback,
                        const Values&... values) {
        const Reply reply = call(name);
        for (int i = 0; i < reply.times && reply.transport.isOk(); ++i) {
            callback(static_cast<Status>(reply.code), values...);
        }
        return Return<void>(reply.transport);
    }

    // A method that launches something and returns a status.
    template <class Status, class Launch>
    Return<Status> launch(const std::string& name, Launch&& launched) {
        const Reply reply = call(name);
        if (!reply.transport.isOk()) return reply.transport;
        launched();
        return static_cast<Status>(reply.code);
    }

   private:
    mutable std::mutex mMutex;
    std::vector<std::string> mCalls;
    std::vector<sp<hidl::hidl_death_recipient>> mRecipients;
    bool mIsDead = false;
};

// The chain of the interfaces of a version, the newest first.
template <class... Interfaces>
hidl_vec<hidl_string> chainUpTo(HalVersion version) {
    std::vector<hidl_string> chain;
    const std::pair<HalVersion, const char*> all[] = {
            {std::is_same_v<Interfaces, V1_3::IDevice> ||
                             std::is_same_v<Interfaces, V1_3::IPreparedModel>
                     ? HalVersion::V1_3
             : std::is_same_v<Interfaces, V1_2::IDevice> ||
                             std::is_same_v<Interfaces, V1_2::IPreparedModel>
                     ? HalVersion::V1_2
             : std::is_same_v<Interfaces, V1_1::IDevice> ? HalVersion::V1_1
                                                         : HalVersion::V1_0,
             Interfaces::descriptor}...};
    for (const auto& [since, descriptor] : all) {
        if (since <= version) chain.push_back(descriptor);
    }
    chain.push_back(hidl::IBase::descriptor);
    return chain;
}

// Computes z = x + y of a canonical request without pointers.
inline bool add(const Request& request) {
    const auto at = [&](const Request::Argument& argument) -> std::pair<float*, Mapping> {
        const auto* pool = std::get_if<SharedMemory>(&request.pools[argument.location.poolIndex]);
        if (pool == nullptr) return {};
        auto mapping = map(*pool);
        if (!mapping.ok()) return {};
        return {reinterpret_cast<float*>(const_cast<uint8_t*>(mapping->data()) +
                                         argument.location.offset),
                *mapping};
    };
    if (request.inputs.size() != 2 || request.outputs.size() != 1) return false;
    const auto [x, xs] = at(request.inputs[0]);
    const auto [y, ys] = at(request.inputs[1]);
    const auto [z, zs] = at(request.outputs[0]);
    if (x == nullptr || y == nullptr || z == nullptr) return false;
    for (size_t i = 0; i < request.outputs[0].location.length / sizeof(float); ++i) {
        z[i] = x[i] + y[i];
    }
    return true;
}

class FencedCallback final : public Object<V1_3::IFencedExecutionCallback> {
   public:
    V1_2::Timing launched{UINT64_MAX, UINT64_MAX};
    V1_2::Timing fenced{UINT64_MAX, UINT64_MAX};

    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        return answer<V1_3::ErrorStatus>("getExecutionInfo", callback, launched, fenced);
    }
};

class Buffer final : public Object<V1_3::IBuffer> {
   public:
    hidl_vec<uint32_t> dimensions{};

    Return<V1_3::ErrorStatus> copyTo(const hidl_memory&) override {
        return launch<V1_3::ErrorStatus>("copyTo", [] {});
    }
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory&, const hidl_vec<uint32_t>& d) override {
        return launch<V1_3::ErrorStatus>("copyFrom", [&] { dimensions = d; });
    }
};

class PreparedModel final : public Object<V1_3::IPreparedModel> {
   public:
    explicit PreparedModel(HalVersion version = HalVersion::V1_3) : mVersion(version) {}
    ~PreparedModel() override {
        for (std::thread& thread : threads) thread.join();
    }

    // The results of executions; `code` goes to the callback.
    hidl_vec<V1_2::OutputShape> shapes{};
    V1_2::Timing timing{UINT64_MAX, UINT64_MAX};
    int32_t code = 0;

    // Runs on the memory of an execution before it returns.
    std::function<void(const Request&)> compute = [](const Request& request) { add(request); };

    // Replaces the one call of notify* before a launch returns.
    std::function<void(const sp<V1_0::IExecutionCallback>&)> onExecute{};

    // Creates the driver's end of bursts; null if it fails.
    std::function<sp<V1_2::IBurstContext>(const sp<V1_2::IBurstCallback>&,
                                          const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>&,
                                          const hidl::MQDescriptorSync<V1_2::FmqResultDatum>&)>
            onBurst{};

    // Fenced executions.
    hidl_handle fence{};
    sp<V1_3::IFencedExecutionCallback> fencedCallback = sp<FencedCallback>::make();

    // The arguments of the last call that had them.
    V1_2::MeasureTiming measure{};
    V1_3::OptionalTimePoint deadline{};
    V1_3::OptionalTimeoutDuration loopTimeout{};
    V1_3::OptionalTimeoutDuration duration{};
    size_t fences = 0;
    V1_3::Request request{};

    // For scripts; joined at the end.
    std::vector<std::thread> threads{};

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(chainUpTo<V1_3::IPreparedModel, V1_2::IPreparedModel, V1_0::IPreparedModel>(
                mVersion));
        return hidl::Void();
    }

    Return<V1_0::ErrorStatus> execute(const V1_0::Request& r,
                                      const sp<V1_0::IExecutionCallback>& callback) override {
        return launch<V1_0::ErrorStatus>("execute", [&] {
            run(r);
            if (onExecute) return onExecute(callback);
            (void)callback->notify(static_cast<V1_0::ErrorStatus>(code)).isOk();
        });
    }
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request& r, V1_2::MeasureTiming m,
                                          const sp<V1_2::IExecutionCallback>& callback) override {
        return launch<V1_0::ErrorStatus>("execute_1_2", [&] {
            keep(m);
            run(r);
            if (onExecute) return onExecute(callback);
            (void)callback->notify_1_2(static_cast<V1_0::ErrorStatus>(code), shapes, timing).isOk();
        });
    }
    Return<V1_3::ErrorStatus> execute_1_3(const V1_3::Request& r, V1_2::MeasureTiming m,
                                          const V1_3::OptionalTimePoint& d,
                                          const V1_3::OptionalTimeoutDuration& l,
                                          const sp<V1_3::IExecutionCallback>& callback) override {
        return launch<V1_3::ErrorStatus>("execute_1_3", [&] {
            keep(m, d, l, r);
            run(r);
            if (onExecute) return onExecute(callback);
            (void)callback->notify_1_3(static_cast<V1_3::ErrorStatus>(code), shapes, timing).isOk();
        });
    }
    Return<void> executeSynchronously(const V1_0::Request& r, V1_2::MeasureTiming m,
                                      executeSynchronously_cb callback) override {
        keep(m);
        run(r);
        return answer<V1_0::ErrorStatus>("executeSynchronously", callback, shapes, timing);
    }
    Return<void> executeSynchronously_1_3(const V1_3::Request& r, V1_2::MeasureTiming m,
                                          const V1_3::OptionalTimePoint& d,
                                          const V1_3::OptionalTimeoutDuration& l,
                                          executeSynchronously_1_3_cb callback) override {
        if (isQuiet) {
            callback(V1_3::ErrorStatus::NONE, shapes, timing);
            return hidl::Void();
        }
        keep(m, d, l, r);
        run(r);
        return answer<V1_3::ErrorStatus>("executeSynchronously_1_3", callback, shapes, timing);
    }
    Return<void> executeFenced(const V1_3::Request& r, const hidl_vec<hidl_handle>& waitFor,
                               V1_2::MeasureTiming m, const V1_3::OptionalTimePoint& d,
                               const V1_3::OptionalTimeoutDuration& l,
                               const V1_3::OptionalTimeoutDuration& after,
                               executeFenced_cb callback) override {
        keep(m, d, l, r);
        duration = after;
        fences = waitFor.size();
        run(r);
        return answer<V1_3::ErrorStatus>("executeFenced", callback, fence, fencedCallback);
    }
    Return<void> configureExecutionBurst(
            const sp<V1_2::IBurstCallback>& client,
            const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requests,
            const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& results,
            configureExecutionBurst_cb callback) override {
        return answer<V1_0::ErrorStatus>(
                "configureExecutionBurst", callback,
                onBurst ? onBurst(client, requests, results) : sp<V1_2::IBurstContext>());
    }

    // Disables recording and computing in synchronous executions of 1.3, so that many threads may
    // call them.
    bool isQuiet = false;

   private:
    void keep(V1_2::MeasureTiming m) {
        const std::lock_guard lock(mKeeping);
        measure = m;
    }
    void keep(V1_2::MeasureTiming m, const V1_3::OptionalTimePoint& d,
              const V1_3::OptionalTimeoutDuration& l, const V1_3::Request& r) {
        const std::lock_guard lock(mKeeping);
        measure = m;
        deadline = d;
        loopTimeout = l;
        request = r;
    }
    template <class HalRequest>
    void run(const HalRequest& r) {
        if (!compute) return;
        const auto canonical = unvalidatedConvert(r);
        if (canonical.ok()) compute(*canonical);
    }

    HalVersion mVersion;
    std::mutex mKeeping;
};

class Device final : public Object<V1_3::IDevice> {
   public:
    explicit Device(HalVersion v = HalVersion::V1_3) : version(v) {}
    ~Device() override {
        for (std::thread& thread : threads) thread.join();
    }

    const HalVersion version;

    // Properties of the device.
    hidl_string versionString = "fake-1";
    V1_2::DeviceType type = V1_2::DeviceType::ACCELERATOR;
    hidl_vec<V1_2::Extension> extensions{};
    V1_0::Capabilities capabilities_1_0 = V1_0::utils::unvalidatedConvert(Capabilities()).value();
    V1_1::Capabilities capabilities_1_1 = V1_1::utils::unvalidatedConvert(Capabilities()).value();
    V1_2::Capabilities capabilities_1_2 = V1_2::utils::unvalidatedConvert(Capabilities()).value();
    V1_3::Capabilities capabilities_1_3 = V1_3::utils::unvalidatedConvert(Capabilities()).value();
    uint32_t modelFiles = 0, dataFiles = 0;

    // Replaces the default of true for each operation of the main graph.
    std::function<hidl_vec<bool>(size_t operations)> supported = [](size_t operations) {
        return hidl_vec<bool>(std::vector<bool>(operations, true));
    };

    // Results of preparations; `notified` is the code, and `notifyBy` the version of the notify*
    // method, by default that of the device.
    sp<PreparedModel> prepared{};
    int32_t notified = 0;
    HalVersion notifyBy = version;

    // Replaces the one call of notify* before a launch returns.
    std::function<void(const sp<V1_0::IPreparedModelCallback>&)> onPrepare{};

    // Memory of the device.
    sp<V1_3::IBuffer> buffer = sp<Buffer>::make();
    uint32_t token = 1;

    // The arguments of the last call that had them.
    V1_1::ExecutionPreference preference{};
    V1_3::Priority priority{};
    V1_3::OptionalTimePoint deadline{};
    V1_2::HidlToken cacheToken{};
    size_t modelHandles = 0, dataHandles = 0, models = 0, inputRoles = 0, outputRoles = 0;
    size_t pools = 0;

    // For scripts; joined at the end.
    std::vector<std::thread> threads{};

    // Calls the version's notify* with `code` and `model`.
    static void notify(const sp<V1_0::IPreparedModelCallback>& callback, HalVersion by,
                       int32_t code, const sp<PreparedModel>& model) {
        if (by >= HalVersion::V1_3) {
            const sp<V1_3::IPreparedModelCallback> newest =
                    V1_3::IPreparedModelCallback::castFrom(callback);
            (void)newest->notify_1_3(static_cast<V1_3::ErrorStatus>(code), model).isOk();
        } else if (by >= HalVersion::V1_2) {
            const sp<V1_2::IPreparedModelCallback> newer =
                    V1_2::IPreparedModelCallback::castFrom(callback);
            (void)newer->notify_1_2(static_cast<V1_0::ErrorStatus>(code), model).isOk();
        } else {
            (void)callback->notify(static_cast<V1_0::ErrorStatus>(code), model).isOk();
        }
    }

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(chainUpTo<V1_3::IDevice, V1_2::IDevice, V1_1::IDevice, V1_0::IDevice>(version));
        return hidl::Void();
    }

    // 1.0
    Return<void> getCapabilities(getCapabilities_cb callback) override {
        return answer<V1_0::ErrorStatus>("getCapabilities", callback, capabilities_1_0);
    }
    Return<void> getSupportedOperations(const V1_0::Model& model,
                                        getSupportedOperations_cb callback) override {
        keepModel(model);
        return answer<V1_0::ErrorStatus>("getSupportedOperations", callback,
                                         supported(model.operations.size()));
    }
    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>("prepareModel", [&] {
            keepModel(model);
            prepare(callback);
        });
    }
    Return<V1_0::DeviceStatus> getStatus() override {
        call("getStatus");
        return V1_0::DeviceStatus::AVAILABLE;
    }

    // 1.1
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) override {
        return answer<V1_0::ErrorStatus>("getCapabilities_1_1", callback, capabilities_1_1);
    }
    Return<void> getSupportedOperations_1_1(const V1_1::Model& model,
                                            getSupportedOperations_1_1_cb callback) override {
        keepModel(model);
        return answer<V1_0::ErrorStatus>("getSupportedOperations_1_1", callback,
                                         supported(model.operations.size()));
    }
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model& model, V1_1::ExecutionPreference p,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>("prepareModel_1_1", [&] {
            keepModel(model, p);
            prepare(callback);
        });
    }

    // 1.2
    Return<void> getVersionString(getVersionString_cb callback) override {
        return answer<V1_0::ErrorStatus>("getVersionString", callback, versionString);
    }
    Return<void> getType(getType_cb callback) override {
        return answer<V1_0::ErrorStatus>("getType", callback, type);
    }
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) override {
        return answer<V1_0::ErrorStatus>("getCapabilities_1_2", callback, capabilities_1_2);
    }
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override {
        return answer<V1_0::ErrorStatus>("getSupportedExtensions", callback, extensions);
    }
    Return<void> getSupportedOperations_1_2(const V1_2::Model& model,
                                            getSupportedOperations_1_2_cb callback) override {
        keepModel(model);
        return answer<V1_0::ErrorStatus>("getSupportedOperations_1_2", callback,
                                         supported(model.operations.size()));
    }
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override {
        return answer<V1_0::ErrorStatus>("getNumberOfCacheFilesNeeded", callback, modelFiles,
                                         dataFiles);
    }
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference p,
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& t, const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>("prepareModel_1_2", [&] {
            keepModel(model, p);
            keepCache(modelCache, dataCache, t);
            prepare(callback);
        });
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const V1_2::HidlToken& t, const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>("prepareModelFromCache", [&] {
            keepCache(modelCache, dataCache, t);
            prepare(callback);
        });
    }

    // 1.3
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) override {
        return answer<V1_3::ErrorStatus>("getCapabilities_1_3", callback, capabilities_1_3);
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        keepModel(model);
        return answer<V1_3::ErrorStatus>("getSupportedOperations_1_3", callback,
                                         supported(model.main.operations.size()));
    }
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model& model, V1_1::ExecutionPreference p, V1_3::Priority q,
            const V1_3::OptionalTimePoint& d, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& t,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return launch<V1_3::ErrorStatus>("prepareModel_1_3", [&] {
            keepModel(model, p);
            {
                const std::lock_guard lock(mKeeping);
                priority = q;
                deadline = d;
            }
            keepCache(modelCache, dataCache, t);
            prepare(callback);
        });
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint& d, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& t,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return launch<V1_3::ErrorStatus>("prepareModelFromCache_1_3", [&] {
            deadline = d;
            keepCache(modelCache, dataCache, t);
            prepare(callback);
        });
    }
    Return<void> allocate(const V1_3::BufferDesc&,
                          const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                          const hidl_vec<V1_3::BufferRole>& inputs,
                          const hidl_vec<V1_3::BufferRole>& outputs,
                          allocate_cb callback) override {
        models = preparedModels.size();
        inputRoles = inputs.size();
        outputRoles = outputs.size();
        return answer<V1_3::ErrorStatus>("allocate", callback, buffer, token);
    }

   private:
    template <class Model>
    void keepModel(const Model& model, V1_1::ExecutionPreference p = {}) {
        const std::lock_guard lock(mKeeping);
        pools = model.pools.size();
        preference = p;
    }
    void keepCache(const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
                   const V1_2::HidlToken& t) {
        const std::lock_guard lock(mKeeping);
        modelHandles = modelCache.size();
        dataHandles = dataCache.size();
        cacheToken = t;
    }
    void prepare(const sp<V1_0::IPreparedModelCallback>& callback) {
        if (onPrepare) return onPrepare(callback);
        sp<PreparedModel> model = prepared;
        if (model == nullptr && notified == 0) model = sp<PreparedModel>::make(version);
        notify(callback, notifyBy, notified, model);
    }

    std::mutex mKeeping;
};

}  // namespace nn::fake
