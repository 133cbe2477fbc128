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
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "device_test/cases/hidl_callbacks.h"
#include "fakes/hidl_methods.h"
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
    std::map<std::string, Reply, std::less<>> replies{};
    bool linkResult = true;

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
            recipients.swap(mRecipients);
        }
        for (const auto& recipient : recipients) recipient->serviceDied(0, nullptr);
    }

    Return<void> ping() override { return Return<void>(replyTo("ping").transport); }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient, uint64_t) override {
        const Reply reply = replyTo("linkToDeath");
        if (!reply.transport.isOk()) return reply.transport;
        const std::lock_guard lock(mMutex);
        if (linkResult) mRecipients.push_back(recipient);
        return linkResult;
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        const Reply reply = replyTo("unlinkToDeath");
        if (!reply.transport.isOk()) return reply.transport;
        const std::lock_guard lock(mMutex);
        return std::erase(mRecipients, recipient) != 0;
    }

   protected:
    Reply replyTo(std::string_view name) {
        const std::lock_guard lock(mMutex);
        mCalls.emplace_back(name);
        const auto reply = replies.find(name);
        if (mIsDead) return {.transport = dead()};
        return reply == replies.end() ? Reply() : reply->second;
    }

    // A method that passes its results to a callback, the status first.
    template <class Status, class... Parameters, class... Values>
    Return<void> returnResults(std::string_view name,
                               const std::function<void(Status, Parameters...)>& callback,
                               const Values&... values) {
        const Reply reply = replyTo(name);
        for (int i = 0; i < reply.times && reply.transport.isOk(); ++i) {
            callback(static_cast<Status>(reply.code), values...);
        }
        return Return<void>(reply.transport);
    }

    // A method that starts work and returns a status.
    template <class Status, class Work>
    Return<Status> start(std::string_view name, const Work& work) {
        const Reply reply = replyTo(name);
        if (!reply.transport.isOk()) return reply.transport;
        work();
        return static_cast<Status>(reply.code);
    }

   private:
    mutable std::mutex mMutex;
    std::vector<std::string> mCalls;
    std::vector<sp<hidl::hidl_death_recipient>> mRecipients;
    bool mIsDead = false;
};

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
        return returnResults("getExecutionInfo", callback, launched, fenced);
    }
};

class Buffer final : public Object<V1_3::IBuffer> {
   public:
    hidl_vec<uint32_t> dimensions{};

    Return<V1_3::ErrorStatus> copyTo(const hidl_memory&) override {
        return start<V1_3::ErrorStatus>("copyTo", [] {});
    }
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory&, const hidl_vec<uint32_t>& d) override {
        return start<V1_3::ErrorStatus>("copyFrom", [&] { dimensions = d; });
    }
};

// The script and the records of a prepared model.
class PreparedModelScript : public Object<V1_3::IPreparedModel> {
   public:
    explicit PreparedModelScript(HalVersion version = HalVersion::V1_3) : mVersion(version) {}
    ~PreparedModelScript() override {
        for (std::thread& thread : threads) thread.join();
    }

    // The results of executions; `code` goes to the callback.
    hidl_vec<V1_2::OutputShape> shapes{};
    V1_2::Timing timing = parts::kNoTiming;
    int32_t code = 0;

    // Runs on the memory of an execution before it returns.
    std::function<void(const Request&)> compute = [](const Request& request) { add(request); };

    // Replaces the one call of notify* before a launch returns.
    std::function<void(const sp<V1_0::IExecutionCallback>&)> onExecute{};

    // Replaces configureExecutionBurst, which returns no context.
    using Requests = hidl::MQDescriptorSync<V1_2::FmqRequestDatum>;
    using Results = hidl::MQDescriptorSync<V1_2::FmqResultDatum>;
    std::function<Return<void>(const sp<V1_2::IBurstCallback>&, const Requests&, const Results&,
                               const configureExecutionBurst_cb&)>
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

    // Disables recording and computing in synchronous executions of 1.3, so that many threads may
    // call them.
    bool isQuiet = false;

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IPreparedModel, V1_2::IPreparedModel, V1_0::IPreparedModel>(
                mVersion));
        return hidl::Void();
    }

   protected:
    template <class Status, class Client, class... Arguments>
    Return<Status> launch(std::string_view name, const sp<Client>& client, const auto&,
                          const Arguments&... arguments) {
        return start<Status>(name, [&] {
            keep(arguments...);
            run(arguments...);
            if (onExecute) return onExecute(client);
            (void)parts::notify(*client, HalVersion::V1_3, code, shapes, timing).isOk();
        });
    }
    template <class Status, class... Arguments>
    Return<void> call(std::string_view name,
                      const std::function<void(Status, const hidl_vec<V1_2::OutputShape>&,
                                               const V1_2::Timing&)>& results,
                      const auto&, const Arguments&... arguments) {
        if (isQuiet && name == "executeSynchronously_1_3") {
            results(Status::NONE, shapes, timing);
            return hidl::Void();
        }
        keep(arguments...);
        run(arguments...);
        return returnResults(name, results, shapes, timing);
    }
    template <class... Arguments>
    Return<void> call(std::string_view name, const executeFenced_cb& results, const auto&,
                      const Arguments&... arguments) {
        keep(arguments...);
        run(arguments...);
        return returnResults(name, results, fence, fencedCallback);
    }
    Return<void> call(std::string_view name, const configureExecutionBurst_cb& results, const auto&,
                      const sp<V1_2::IBurstCallback>& client, const Requests& requestQueue,
                      const Results& resultQueue) {
        if (onBurst) return onBurst(client, requestQueue, resultQueue, results);
        return returnResults(name, results, sp<V1_2::IBurstContext>());
    }

   private:
    void keep(const V1_0::Request&) {}
    void keep(const V1_0::Request&, V1_2::MeasureTiming m) {
        const std::lock_guard lock(mKeeping);
        measure = m;
    }
    void keep(const V1_3::Request& r, V1_2::MeasureTiming m, const V1_3::OptionalTimePoint& d,
              const V1_3::OptionalTimeoutDuration& l) {
        const std::lock_guard lock(mKeeping);
        measure = m;
        deadline = d;
        loopTimeout = l;
        request = r;
    }
    void keep(const V1_3::Request& r, const hidl_vec<hidl_handle>& waitFor, V1_2::MeasureTiming m,
              const V1_3::OptionalTimePoint& d, const V1_3::OptionalTimeoutDuration& l,
              const V1_3::OptionalTimeoutDuration& after) {
        keep(r, m, d, l);
        duration = after;
        fences = waitFor.size();
    }
    void run(const auto& r, const auto&...) {
        if (!compute) return;
        const auto canonical = unvalidatedConvert(r);
        if (canonical.ok()) compute(*canonical);
    }

    HalVersion mVersion;
    std::mutex mKeeping;
};
using PreparedModel = fakes::HidlPreparedModel<PreparedModelScript>;

// The script and the records of a device.
class DeviceScript : public Object<V1_3::IDevice> {
   public:
    explicit DeviceScript(HalVersion v = HalVersion::V1_3) : version(v) {}
    ~DeviceScript() override {
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
        const sp<V1_3::IPreparedModelCallback> newest =
                V1_3::IPreparedModelCallback::castFrom(callback);
        const sp<V1_2::IPreparedModelCallback> newer =
                V1_2::IPreparedModelCallback::castFrom(callback);
        if (by >= HalVersion::V1_3) return (void)parts::notify(*newest, by, code, model).isOk();
        if (by >= HalVersion::V1_2) return (void)parts::notify(*newer, by, code, model).isOk();
        (void)parts::notify(*callback, by, code, model).isOk();
    }

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IDevice, V1_2::IDevice, V1_1::IDevice, V1_0::IDevice>(
                version));
        return hidl::Void();
    }
    Return<V1_0::DeviceStatus> getStatus() override {
        (void)replyTo("getStatus");
        return V1_0::DeviceStatus::AVAILABLE;
    }

   protected:
    template <class Status, class Client, class... Arguments>
    Return<Status> launch(std::string_view name, const sp<Client>& client, const auto&,
                          const Arguments&... arguments) {
        return start<Status>(name, [&] {
            keep(arguments...);
            prepare(client);
        });
    }
    template <class Status, class... Values, class... Arguments>
    Return<void> call(std::string_view name, const std::function<void(Status, Values...)>& results,
                      const auto&, const Arguments&... arguments) {
        keep(arguments...);
        return std::apply(
                [&](const auto&... values) { return returnResults(name, results, values...); },
                resultsOf(results, arguments...));
    }

   private:
    // The results of a method other than its status, by the type of its callback.
    auto resultsOf(const getCapabilities_cb&) { return std::tie(capabilities_1_0); }
    auto resultsOf(const getCapabilities_1_1_cb&) { return std::tie(capabilities_1_1); }
    auto resultsOf(const getCapabilities_1_2_cb&) { return std::tie(capabilities_1_2); }
    auto resultsOf(const getCapabilities_1_3_cb&) { return std::tie(capabilities_1_3); }
    auto resultsOf(const getVersionString_cb&) { return std::tie(versionString); }
    auto resultsOf(const getType_cb&) { return std::tie(type); }
    auto resultsOf(const getSupportedExtensions_cb&) { return std::tie(extensions); }
    auto resultsOf(const getNumberOfCacheFilesNeeded_cb&) {
        return std::tie(modelFiles, dataFiles);
    }
    auto resultsOf(const allocate_cb&, const auto&...) { return std::tie(buffer, token); }
    auto resultsOf(const auto&, const auto& model) {
        if constexpr (requires { model.main; }) {
            return std::tuple(supported(model.main.operations.size()));
        } else {
            return std::tuple(supported(model.operations.size()));
        }
    }

    void keep(const auto&... arguments) {
        const std::lock_guard lock(mKeeping);
        (keepOne(arguments), ...);
    }
    void keepOne(const auto& model) requires requires { model.pools; }
    {
        pools = model.pools.size();
        preference = {};
    }
    void keepOne(V1_1::ExecutionPreference p) { preference = p; }
    void keepOne(V1_3::Priority p) { priority = p; }
    void keepOne(const V1_3::OptionalTimePoint& d) { deadline = d; }
    void keepOne(const V1_2::HidlToken& t) { cacheToken = t; }
    void keepOne(const V1_3::BufferDesc&) {}
    void keepOne(const hidl_vec<sp<V1_3::IPreparedModel>>& all) { models = all.size(); }
    // The second of two lists is that of the data, or of the outputs.
    void keepOne(const hidl_vec<hidl_handle>& cache) {
        modelHandles = std::exchange(dataHandles, cache.size());
    }
    void keepOne(const hidl_vec<V1_3::BufferRole>& roles) {
        inputRoles = std::exchange(outputRoles, roles.size());
    }

    void prepare(const sp<V1_0::IPreparedModelCallback>& callback) {
        if (onPrepare) return onPrepare(callback);
        sp<PreparedModel> model = prepared;
        if (model == nullptr && notified == 0) model = sp<PreparedModel>::make(version);
        notify(callback, notifyBy, notified, model);
    }

    std::mutex mKeeping;
};
using Device = fakes::HidlDevice<DeviceScript>;

}  // namespace nn::fake
