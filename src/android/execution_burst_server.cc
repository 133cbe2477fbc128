#include "ExecutionBurstServer.h"

#include <android-base/logging.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "driver/memory/burst_channel.h"
#include "driver/memory/burst_slots.h"
#include "nnapi/driver/burst.h"
#include "nnapi/driver/callbacks.h"

namespace android::nn {
namespace {

using ::nn::driver::Awaited;
using ::nn::hidl::hidl_memory;
using ::nn::hidl::hidl_vec;
using ::nn::hidl::sp;
using ::nn::V1_2::FmqRequestDatum;
using ::nn::V1_2::FmqResultDatum;
using BurstStatus = ::nn::V1_0::ErrorStatus;
using BurstExecutor = ExecutionBurstServer::IBurstExecutorWithCache;

constexpr ::nn::V1_2::Timing kNoBurstTiming{.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

// Longer than any execution should take.
constexpr auto kLongestWaitForWorker = std::chrono::seconds(10);

// Executes by a prepared model's executeSynchronously.
class PreparedModelExecutor final : public BurstExecutor {
   public:
    explicit PreparedModelExecutor(::nn::V1_2::IPreparedModel* preparedModel)
        : mPreparedModel(preparedModel) {}

    bool isCacheEntryPresent(int32_t slot) const override { return mMemories.count(slot) != 0; }
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        mMemories.insert_or_assign(slot, memory);
    }
    void removeCacheEntry(int32_t slot) override { mMemories.erase(slot); }

    std::tuple<BurstStatus, hidl_vec<::nn::V1_2::OutputShape>, ::nn::V1_2::Timing> execute(
            const ::nn::V1_0::Request& request, const std::vector<int32_t>& slots,
            ::nn::V1_2::MeasureTiming measure) override {
        ::nn::V1_0::Request full = request;
        full.pools.resize(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) full.pools[i] = mMemories.at(slots[i]);
        BurstStatus status = BurstStatus::GENERAL_FAILURE;
        hidl_vec<::nn::V1_2::OutputShape> shapes;
        ::nn::V1_2::Timing timing = kNoBurstTiming;
        const auto called = mPreparedModel->executeSynchronously(
                full, measure,
                [&](BurstStatus code, const hidl_vec<::nn::V1_2::OutputShape>& outputShapes,
                    const ::nn::V1_2::Timing& measured) {
                    status = code;
                    shapes = outputShapes;
                    timing = measured;
                });
        if (!called.isOk()) return {BurstStatus::GENERAL_FAILURE, {}, kNoBurstTiming};
        return {status, std::move(shapes), timing};
    }

   private:
    const sp<::nn::V1_2::IPreparedModel> mPreparedModel;
    std::map<int32_t, hidl_memory> mMemories{};
};

}  // namespace

std::vector<FmqResultDatum> serialize(BurstStatus errorStatus,
                                      const std::vector<::nn::V1_2::OutputShape>& outputShapes,
                                      ::nn::V1_2::Timing timing) {
    return ::nn::V1_2::utils::serialize(errorStatus, outputShapes, timing);
}

std::optional<std::tuple<::nn::V1_0::Request, std::vector<int32_t>, ::nn::V1_2::MeasureTiming>>
deserialize(const std::vector<FmqRequestDatum>& data) {
    auto packet = ::nn::V1_2::utils::deserialize(data);
    if (!packet.ok()) {
        LOG(ERROR) << "a packet of a burst: " << std::string(packet.status().message());
        return std::nullopt;
    }
    return std::tuple(std::move(packet->request), std::move(packet->slots), packet->measure);
}

// The state of the thread; outlives the context if an execution does not end.
class ExecutionBurstServer::Worker final : public ::nn::hal::utils::IProtectedCallback,
                                           public std::enable_shared_from_this<Worker> {
    using Requests = ::nn::driver::BurstChannel<FmqRequestDatum>;
    using Results = ::nn::driver::BurstChannel<FmqResultDatum>;

   public:
    Worker(sp<::nn::V1_2::IBurstCallback> callback, std::shared_ptr<Requests> requests,
           std::shared_ptr<Results> results, std::shared_ptr<BurstExecutor> executor,
           std::chrono::microseconds window)
        : mCallback(std::move(callback)),
          mRequests(std::move(requests)),
          mResults(std::move(results)),
          mExecutor(std::move(executor)),
          mWindow(window) {}

    // False where the client is dead.
    bool start() {
        auto death = ::nn::hal::utils::DeathHandler::create(mCallback);
        if (!death.has_value()) return false;
        mClientDeath.emplace(std::move(death).value());
        mClientDeath->protectCallbackForLifetimeOfDeathHandler(shared_from_this());
        mThread = std::thread([worker = shared_from_this()] { worker->work(); });
        return true;
    }

    void stop() {
        mClientDeath.reset();
        if (!mThread.joinable()) return;
        notifyAsDeadObject();
        // The thread may release the last reference itself.
        if (mThread.get_id() == std::this_thread::get_id() || !waitForEnd()) {
            mThread.detach();
        } else {
            mThread.join();
        }
    }

    void free(int32_t slot) {
        const std::lock_guard lock(mExecutorMutex);
        mExecutor->removeCacheEntry(slot);
        mKept.erase(slot);
    }

    void notifyAsDeadObject() override {
        mIsEnded.store(true, std::memory_order_release);
        mRequests->interrupt();
    }

   private:
    void work() {
        while (true) {
            const Awaited awaited = mRequests->await(mWindow, mIsEnded, std::nullopt);
            if (mIsEnded.load(std::memory_order_acquire)) break;
            if (awaited != Awaited::READY) {
                send(BurstStatus::GENERAL_FAILURE, {}, kNoBurstTiming);
                break;
            }
            serve();
        }
        const std::lock_guard lock(mEndMutex);
        mHasEnded = true;
        mEnd.notify_all();
    }

    void serve() {
        const auto packet = mRequests->receive();
        const auto request =
                deserialize(std::vector<FmqRequestDatum>(packet.begin(), packet.end()));
        if (!request) return send(BurstStatus::GENERAL_FAILURE, {}, kNoBurstTiming);
        const auto& [arguments, slots, measure] = *request;
        const std::vector<int32_t> unknown = withoutEntries(slots);
        const auto memories = ask(unknown);
        if (!memories) return send(BurstStatus::GENERAL_FAILURE, {}, kNoBurstTiming);

        const std::unique_lock lock(mExecutorMutex);
        for (size_t i = 0; i < unknown.size(); ++i) add((*memories)[i], unknown[i], slots);
        const bool haveEntries = std::all_of(slots.begin(), slots.end(), [&](int32_t slot) {
            return mExecutor->isCacheEntryPresent(slot);
        });
        if (!haveEntries) return send(BurstStatus::GENERAL_FAILURE, {}, kNoBurstTiming);
        const auto [status, shapes, timing] = mExecutor->execute(arguments, slots, measure);
        send(status, shapes, timing);
    }

    // Each slot without an entry once.
    std::vector<int32_t> withoutEntries(const std::vector<int32_t>& slots) {
        std::vector<int32_t> unknown;
        const std::lock_guard lock(mExecutorMutex);
        for (const int32_t slot : slots) {
            if (mExecutor->isCacheEntryPresent(slot)) continue;
            if (std::find(unknown.begin(), unknown.end(), slot) == unknown.end()) {
                unknown.push_back(slot);
            }
        }
        return unknown;
    }

    std::optional<hidl_vec<hidl_memory>> ask(const std::vector<int32_t>& slots) const {
        if (slots.empty()) return hidl_vec<hidl_memory>();
        std::optional<hidl_vec<hidl_memory>> memories;
        const auto called = mCallback->getMemories(
                slots, [&](BurstStatus status, const hidl_vec<hidl_memory>& buffers) {
                    if (status == BurstStatus::NONE && buffers.size() == slots.size()) {
                        memories = buffers;
                    }
                });
        if (!called.isOk() || !memories) {
            LOG(ERROR) << "the client of a burst has no memories for its slots";
            return std::nullopt;
        }
        return memories;
    }

    // Forgets memories that this request does not use if a client has sent more than it may.
    void add(const hidl_memory& memory, int32_t slot, const std::vector<int32_t>& used) {
        while (mKept.size() >= ::nn::driver::kMaxKeptMemories) {
            const auto old = std::find_if(mKept.begin(), mKept.end(), [&](int32_t kept) {
                return std::find(used.begin(), used.end(), kept) == used.end();
            });
            if (old == mKept.end()) break;
            mExecutor->removeCacheEntry(*old);
            mKept.erase(old);
        }
        mExecutor->addCacheEntry(memory, slot);
        mKept.insert(slot);
    }

    void send(BurstStatus status, const hidl_vec<::nn::V1_2::OutputShape>& shapes,
              const ::nn::V1_2::Timing& timing) {
        if (mResults->send(::nn::V1_2::utils::serialize(status, shapes, timing))) return;
        // If not even this fits, the client is not reading.
        (void)mResults->send(
                ::nn::V1_2::utils::serialize(BurstStatus::GENERAL_FAILURE, {}, kNoBurstTiming));
    }

    bool waitForEnd() {
        std::unique_lock lock(mEndMutex);
        return mEnd.wait_for(lock, kLongestWaitForWorker, [this] { return mHasEnded; });
    }

    const sp<::nn::V1_2::IBurstCallback> mCallback;
    const std::shared_ptr<Requests> mRequests;
    const std::shared_ptr<Results> mResults;
    const std::shared_ptr<BurstExecutor> mExecutor;
    const std::chrono::microseconds mWindow;
    std::optional<::nn::hal::utils::DeathHandler> mClientDeath{};
    std::thread mThread{};
    std::atomic<bool> mIsEnded{false};

    std::mutex mExecutorMutex{};  // held while the executor is called: it demands that
    std::set<int32_t> mKept{};

    std::mutex mEndMutex{};
    std::condition_variable mEnd{};
    bool mHasEnded = false;
};

sp<ExecutionBurstServer> ExecutionBurstServer::create(
        const sp<::nn::V1_2::IBurstCallback>& callback, const FmqRequestDescriptor& requestChannel,
        const FmqResultDescriptor& resultChannel,
        std::shared_ptr<IBurstExecutorWithCache> executorWithCache,
        std::chrono::microseconds pollingTimeWindow) {
    if (callback == nullptr || executorWithCache == nullptr) {
        LOG(ERROR) << "ExecutionBurstServer::create: an argument is null";
        return nullptr;
    }
    auto requests = ::nn::driver::BurstChannel<FmqRequestDatum>::open(requestChannel);
    auto results = ::nn::driver::BurstChannel<FmqResultDatum>::open(resultChannel);
    if (requests == nullptr || results == nullptr) {
        LOG(ERROR) << "ExecutionBurstServer::create: a channel is no queue with an event flag";
        return nullptr;
    }
    auto worker = std::make_shared<Worker>(callback, std::move(requests), std::move(results),
                                           std::move(executorWithCache), pollingTimeWindow);
    if (!worker->start()) {
        LOG(ERROR) << "ExecutionBurstServer::create: the client is dead";
        return nullptr;
    }
    return new ExecutionBurstServer(std::move(worker));
}

sp<ExecutionBurstServer> ExecutionBurstServer::create(
        const sp<::nn::V1_2::IBurstCallback>& callback, const FmqRequestDescriptor& requestChannel,
        const FmqResultDescriptor& resultChannel, ::nn::V1_2::IPreparedModel* preparedModel,
        std::chrono::microseconds pollingTimeWindow) {
    if (preparedModel == nullptr) {
        LOG(ERROR) << "ExecutionBurstServer::create: the prepared model is null";
        return nullptr;
    }
    return create(callback, requestChannel, resultChannel,
                  std::make_shared<PreparedModelExecutor>(preparedModel), pollingTimeWindow);
}

ExecutionBurstServer::ExecutionBurstServer(std::shared_ptr<Worker> worker)
    : mWorker(std::move(worker)) {}

ExecutionBurstServer::~ExecutionBurstServer() { mWorker->stop(); }

::nn::hidl::Return<void> ExecutionBurstServer::freeMemory(int32_t slot) {
    mWorker->free(slot);
    return ::nn::hidl::Void();
}

}  // namespace android::nn
