// Scripted ends of a burst, and the models that they serve.
#pragma once

#include <concepts>
#include <thread>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "nnapi/convert.h"
#include "nnapi/driver/burst.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/memory.h"
#include "nnapi/relocation.h"

namespace nn::driver_burst_test {

using hidl::hidl_memory;
using hidl::hidl_vec;
using hidl::MQDescriptorSync;
using hidl::Return;
using hidl::sp;
using hidl::Void;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using RequestQueue = hidl::MessageQueue<FmqRequestDatum, hidl::kSynchronizedReadWrite>;
using ResultQueue = hidl::MessageQueue<FmqResultDatum, hidl::kSynchronizedReadWrite>;
using RequestPacket = std::vector<FmqRequestDatum>;
using ResultPacket = std::vector<FmqResultDatum>;

using parts::kNoTiming;
const hidl::Status kDead = hidl::Status::fromStatusT(hidl::DEAD_OBJECT);
const hidl::Status kBroken = hidl::Status::fromStatusT(hidl::UNKNOWN_ERROR);

// Waits some seconds for the condition; returns whether it holds.
template <class Condition>
bool eventually(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(microseconds(50));
    }
    return true;
}

// The ends of a burst communicate only through shared memory, which ThreadSanitizer sees at two
// addresses. This lock orders the other data that a test and its scripts share.
inline void handOver() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
}

// A driver's prepared model that creates bursts with a function.
class Driver : public fake::PreparedModel {
   public:
    explicit Driver(decltype(onBurst) configure) : HidlPreparedModel(HalVersion::V1_2) {
        onBurst = std::move(configure);
    }
};

// A driver that serves a canonical burst.
inline sp<Driver> serving(SharedBurst burst, microseconds window = {}) {
    return sp<Driver>::make([=](const auto& callback, const auto& requests, const auto& results,
                                const auto& cb) {
        auto context = hal::adapter::makeBurstContext(callback, requests, results, burst, window);
        EXPECT_TRUE(context.has_value()) << context.error().message;
        cb(V1_0::ErrorStatus::NONE, *context);
        return Void();
    });
}

// A scripted canonical burst that counts the memories it holds.
class TestBurst final : public IBurst {
   public:
    using Execute = std::function<ExecutionResult<Executed>(const Request&, MeasureTiming)>;
    explicit TestBurst(Execute execute) : mExecute(std::move(execute)) {}

    OptionalCacheHold cacheMemory(const SharedMemory&) const override {
        ++holds;
        return std::make_shared<const CacheHold>([this] { --holds; });
    }
    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint&, const OptionalDuration&,
                                      const std::vector<TokenValuePair>&,
                                      const std::vector<ExtensionNameAndPrefix>&) const override {
        ++executions;
        handOver();
        auto executed = mExecute(request, measure);
        handOver();
        return executed;
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request&, MeasureTiming, const OptionalDuration&,
            const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        return error();
    }

    mutable std::atomic<int> holds = 0;
    mutable std::atomic<int> executions = 0;

   private:
    Execute mExecute;
};
inline std::shared_ptr<const TestBurst> succeeding() {
    return std::make_shared<const TestBurst>([](const auto&, auto) { return Executed{}; });
}

// A canonical prepared model that counts executions that do not use the burst.
class OrdinaryModel final : public DefaultPreparedModel {
   public:
    ExecutionResult<Executed> execute(const Request&, MeasureTiming, const OptionalTimePoint&,
                                      const OptionalDuration&, const std::vector<TokenValuePair>&,
                                      const std::vector<ExtensionNameAndPrefix>&) const override {
        ++executions;
        return Executed{};
    }

    mutable std::atomic<int> executions = 0;
};

// The driver's end with a script that returns a result for each packet, or none.
class ScriptedServer final : public fake::Object<V1_2::IBurstContext> {
   public:
    using Script = std::function<std::optional<ResultPacket>(const RequestPacket&)>;
    explicit ScriptedServer(Script script) : mScript(std::move(script)) {}
    ~ScriptedServer() override {
        mIsEnded = true;
        if (mThread.joinable()) mThread.join();
    }

    void connect(const sp<V1_2::IBurstCallback>& client,
                 const MQDescriptorSync<FmqRequestDatum>& requestChannel,
                 const MQDescriptorSync<FmqResultDatum>& resultChannel) {
        callback = client;
        requests = std::make_unique<RequestQueue>(requestChannel, false);
        results = std::make_unique<ResultQueue>(resultChannel, false);
        mThread = std::thread([this] {
            while (!mIsEnded) {
                RequestPacket packet(requests->availableToRead());
                if (packet.empty() || !requests->read(packet.data(), packet.size())) {
                    std::this_thread::sleep_for(microseconds(20));
                    continue;
                }
                handOver();
                const auto reply = mScript(packet);
                handOver();
                if (reply) send(*reply);
            }
        });
    }
    void send(const ResultPacket& packet) const {
        EXPECT_TRUE(results->writeBlocking(packet.data(), packet.size(), 1'000'000'000));
    }
    Return<void> freeMemory(int32_t slot) override {
        const std::lock_guard lock(mMutex);
        mFreed.push_back(slot);
        if (onFree) onFree(slot);
        return freeFailure;
    }
    std::vector<int32_t> takeFreed() {
        const std::lock_guard lock(mMutex);
        return std::exchange(mFreed, {});
    }
    // The client's result for the slots.
    std::pair<V1_0::ErrorStatus, std::vector<hidl_memory>> ask(hidl_vec<int32_t> slots) const {
        std::pair<V1_0::ErrorStatus, std::vector<hidl_memory>> result;
        EXPECT_TRUE(callback->getMemories(slots,
                                          [&](auto status, const auto& all) {
                                              result = {status, all};
                                          })
                            .isOk());
        return result;
    }

    hidl::Status freeFailure{};
    std::function<void(int32_t)> onFree;
    sp<V1_2::IBurstCallback> callback;
    std::unique_ptr<RequestQueue> requests;
    std::unique_ptr<ResultQueue> results;

   private:
    Script mScript;
    std::mutex mMutex;
    std::vector<int32_t> mFreed;
    std::atomic<bool> mIsEnded = false;
    std::thread mThread;
};

inline ResultPacket success(const std::vector<V1_2::OutputShape>& shapes = {},
                            V1_2::Timing timing = kNoTiming) {
    return V1_2::utils::serialize(V1_0::ErrorStatus::NONE, shapes, timing);
}
inline ResultPacket failure(V1_0::ErrorStatus status) {
    return V1_2::utils::serialize(status, {}, kNoTiming);
}

// A request for the pools of some slots.
inline RequestPacket requestFor(const std::vector<int32_t>& slots) {
    return V1_2::utils::serialize(V1_0::Request{}, V1_2::MeasureTiming::NO, slots);
}
inline V1_0::ErrorStatus statusOf(const std::optional<ResultPacket>& reply) {
    EXPECT_TRUE(reply.has_value()) << "no reply";
    return reply ? V1_2::utils::deserialize(*reply).value().status : V1_0::ErrorStatus{-1};
}

// A client's end connected to a script.
struct ScriptedBurst {
    explicit ScriptedBurst(ScriptedServer::Script script, WrapOptions options = {},
                           microseconds window = {})
        : server(sp<ScriptedServer>::make(std::move(script))),
          driver(sp<Driver>::make([this](const auto& callback, const auto& requests,
                                         const auto& results, const auto& cb) {
              server->connect(callback, requests, results);
              cb(V1_0::ErrorStatus::NONE, server);
              return Void();
          })),
          burst(V1_2::utils::Burst::create(ordinary, driver, window, std::move(options)).value()) {}

    ExecutionResult<Executed> execute(const Request& request,
                                      MeasureTiming measure = MeasureTiming::NO,
                                      OptionalTimePoint deadline = {}) const {
        handOver();
        auto executed = burst->execute(request, measure, deadline, {}, {}, {});
        handOver();
        return executed;
    }
    SharedExecution reusable(const Request& request) const {
        return burst->createReusableExecution(request, MeasureTiming::NO, {}, {}, {}).value();
    }

    std::shared_ptr<const OrdinaryModel> ordinary = std::make_shared<const OrdinaryModel>();
    sp<ScriptedServer> server;
    sp<Driver> driver;
    SharedBurst burst;
};

// The client's side of the memories, by a script.
class ScriptedCallback final : public fake::Object<V1_2::IBurstCallback> {
   public:
    using Script = std::function<Return<void>(const hidl_vec<int32_t>&, const getMemories_cb&)>;
    Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) override {
        {
            const std::lock_guard lock(mMutex);
            asked.push_back(slots);
        }
        handOver();
        auto returned = script(slots, callback);
        handOver();
        return returned;
    }
    std::vector<std::vector<int32_t>> takeAsked() {
        const std::lock_guard lock(mMutex);
        return std::exchange(asked, {});
    }
    Script script;

   private:
    std::mutex mMutex;
    std::vector<std::vector<int32_t>> asked;
};

// The client's end, controlled by the test, connected to the library's server. Slot i means
// memories[i].
struct ScriptedClient {
    explicit ScriptedClient(SharedBurst burst, microseconds window = {})
        : ScriptedClient([=](const auto&... client) {
              return hal::adapter::makeBurstContext(client..., burst, window);
          }) {}
    // Connects to a server that receives the callback and the queues.
    template <class Serve>
    requires std::invocable < Serve, const sp<V1_2::IBurstCallback>
    &, const MQDescriptorSync<FmqRequestDatum>&,
            const MQDescriptorSync<FmqResultDatum>& > explicit ScriptedClient(Serve serve) {
        callback->script = [this](const auto& slots, const auto& putMemories) {
            std::vector<hidl_memory> found;
            for (const int32_t slot : slots) {
                if (slot < 0 || static_cast<size_t>(slot) >= memories.size()) {
                    putMemories(V1_0::ErrorStatus::INVALID_ARGUMENT, {});
                    return Void();
                }
                found.push_back(memories[static_cast<size_t>(slot)]);
            }
            putMemories(V1_0::ErrorStatus::NONE, found);
            return Void();
        };
        auto made =
                serve(sp<V1_2::IBurstCallback>(callback), *requests.getDesc(), *results.getDesc());
        EXPECT_TRUE(made.has_value()) << made.error().message;
        context = *made;
    }
    void addMemory(size_t size) {
        memories.push_back(
                V1_2::utils::unvalidatedConvert(createSharedMemory(size).value()).value());
    }
    // The result; nothing if none arrives in time.
    std::optional<ResultPacket> ask(const RequestPacket& packet) {
        handOver();
        EXPECT_TRUE(requests.writeBlocking(packet.data(), packet.size(), 1'000'000'000));
        return receive();
    }
    std::optional<ResultPacket> receive() {
        if (!eventually([&] { return results.availableToRead() != 0; })) return std::nullopt;
        ResultPacket packet(results.availableToRead());
        EXPECT_TRUE(results.read(packet.data(), packet.size()));
        handOver();
        return packet;
    }

    std::vector<hidl_memory> memories;
    RequestQueue requests{V1_2::utils::kExecutionBurstChannelLength, true};
    ResultQueue results{V1_2::utils::kExecutionBurstChannelLength, true};
    sp<ScriptedCallback> callback = sp<ScriptedCallback>::make();
    sp<V1_2::IBurstContext> context;
};

}  // namespace nn::driver_burst_test
