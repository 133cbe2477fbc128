#include "driver/hidl/burst_server.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/launch.h"
#include "driver/hidl/burst_packets.h"
#include "driver/hidl/transport.h"
#include "driver/memory/burst_channel.h"
#include "driver/memory/burst_slots.h"
#include "driver/wrap/checked_objects.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"
#include "types/memory_file.h"

namespace nn::hal::adapter {
namespace {

using driver::Awaited;
using hidl::hidl_vec;
using hidl::sp;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using RequestChannel = driver::BurstChannel<FmqRequestDatum>;
using ResultChannel = driver::BurstChannel<FmqResultDatum>;

// The memories behind the client's slots, and the canonical burst's cache holds for them.
class Slots {
   public:
    Slots(sp<V1_2::IBurstCallback> callback, SharedBurst burst)
        : mCallback(std::move(callback)), mBurst(std::move(burst)) {}

    // The memories of some slots, in order. Unknown ones are requested from the client; so are,
    // each time, those beyond the limit.
    Status find(std::span<const int32_t> slots, std::vector<Request::MemoryPool>& pools) {
        pools.resize(slots.size());
        mUnknown.clear();
        {
            const std::lock_guard lock(mMutex);
            for (size_t i = 0; i < slots.size(); ++i) {
                const auto known = mKnown.find(slots[i]);
                if (known != mKnown.end()) {
                    pools[i] = known->second.memory;
                } else if (absl::c_find(mUnknown, slots[i]) == mUnknown.end()) {
                    mUnknown.push_back(slots[i]);
                }
            }
        }
        if (mUnknown.empty()) return {};
        NNAPI_ASSIGN_OR_RETURN(asked, ask(mUnknown));
        for (size_t i = 0; i < slots.size(); ++i) {
            const auto place = absl::c_find(mUnknown, slots[i]);
            if (place != mUnknown.end()) pools[i] = asked[size_t(place - mUnknown.begin())].memory;
        }
        keep(asked);
        return {};
    }

    void forget(int32_t slot) {
        decltype(mKnown)::node_type forgotten;  // released without the lock
        const std::lock_guard lock(mMutex);
        forgotten = mKnown.extract(slot);
    }
    void forgetAll() {
        decltype(mKnown) forgotten;
        const std::lock_guard lock(mMutex);
        forgotten.swap(mKnown);
    }

   private:
    struct Entry {
        SharedMemory memory;
        IBurst::OptionalCacheHold hold;
    };

    // Only the worker adds memories, so the number of free entries cannot decrease.
    void keep(std::vector<Entry>& asked) {
        size_t room = 0;
        {
            const std::lock_guard lock(mMutex);
            room = driver::kMaxKeptMemories - mKnown.size();
        }
        asked.resize(std::min(room, asked.size()));
        for (Entry& entry : asked) entry.hold = mBurst->cacheMemory(entry.memory);
        const std::lock_guard lock(mMutex);
        for (size_t i = 0; i < asked.size(); ++i) {
            mKnown.insert_or_assign(mUnknown[i], std::move(asked[i]));
        }
    }

    GeneralResult<std::vector<Entry>> ask(const std::vector<int32_t>& slots) const {
        using Returned = std::pair<V1_0::ErrorStatus, hidl_vec<hidl::hidl_memory>>;
        const auto result = std::make_shared<utils::TransferValue<Returned>>();
        const auto called = mCallback->getMemories(
                slots, [result](V1_0::ErrorStatus status, const hidl_vec<hidl::hidl_memory>& all) {
                    result->put({status, all});
                });
        if (!called.isOk()) {
            return error() << "getMemories: " << called.description();
        }
        const auto taken = result->take(TimePoint{});
        if (!taken) return error() << "getMemories returns no result";
        const auto& [status, memories] = *taken;
        if (status != V1_0::ErrorStatus::NONE) {
            return error() << "getMemories returns "
                           << toString(driver::hidl_calls::codeOf(status));
        }
        if (memories.size() != slots.size()) {
            return error() << "getMemories returns " << memories.size() << " memories, allowed "
                           << slots.size();
        }
        std::vector<Entry> entries(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) {
            auto memory = nn::convert(memories[i]);
            if (!memory.ok()) {
                return error() << "slot " << slots[i] << ": "
                               << std::string(memory.status().message());
            }
            entries[i].memory = keepingMapping(*std::move(memory));
        }
        return entries;
    }

    sp<V1_2::IBurstCallback> mCallback;
    SharedBurst mBurst;
    std::vector<int32_t> mUnknown{};  // used by the worker only
    std::mutex mMutex{};
    std::unordered_map<int32_t, Entry> mKnown{};
};

// The state of the worker. Shared with the context, so that either may be destroyed first.
class Server final : public utils::IProtectedCallback {
   public:
    Server(std::shared_ptr<RequestChannel> requests, std::shared_ptr<ResultChannel> results,
           const sp<V1_2::IBurstCallback>& callback, SharedBurst burst,
           std::chrono::microseconds window)
        : mRequests(std::move(requests)),
          mResults(std::move(results)),
          mBurst(std::move(burst)),
          mSlots(callback, mBurst),
          mWindow(window) {}

    Slots& slots() { return mSlots; }

    // The worker's main function.
    void work() {
        while (true) {
            const Awaited awaited = mRequests->await(mWindow, mIsEnded, std::nullopt);
            if (mIsEnded.load(std::memory_order_acquire)) break;
            const Status served = awaited == Awaited::READY
                                          ? serve()
                                          : error() << "the queue of requests is spoilt";
            if (!served.ok()) fail(errorStatus(served));
            if (awaited != Awaited::READY) break;
        }
        mSlots.forgetAll();
        const std::lock_guard lock(mMutex);
        mHasEnded = true;
        mCondition.notify_all();
    }

    // Called when the client dies.
    void notifyAsDeadObject() override { end(); }
    // Asks the worker to end after the current packet.
    void end() {
        mIsEnded.store(true, std::memory_order_release);
        mRequests->interrupt();
    }
    // Waits for the worker to end. False if it has not ended in time.
    bool waitForEnd(Duration most) {
        std::unique_lock lock(mMutex);
        return mCondition.wait_for(lock, most, [this] { return mHasEnded; });
    }

   private:
    // Serves one packet; an error if that is impossible.
    Status serve() NNAPI_TRY {
        V1_2::MeasureTiming measure{};
        NNAPI_RETURN_IF_ERROR(asGeneralFailure(
                driver::readRequest(mRequests->receive(), mRequest, mAsked, measure)));
        Status executed = execute(measure);
        mRequest.pools.clear();  // do not keep memory that the client frees until the next request
        return executed;
    }
    NNAPI_CATCH

    Status execute(V1_2::MeasureTiming measure) NNAPI_TRY {
        NNAPI_RETURN_IF_ERROR(asGeneralFailure(mSlots.find(mAsked, mRequest.pools)));
        NNAPI_RETURN_IF_ERROR(nn::validate(mRequest).status());
        const bool isMeasured = measure == V1_2::MeasureTiming::YES;
        const auto executed = mBurst->execute(
                mRequest, isMeasured ? MeasureTiming::YES : MeasureTiming::NO, {}, {}, {}, {});
        if (executed.has_value()) {
            V1_2::Timing timing = driver::hidl_calls::kNoTiming;
            if (isMeasured) {
                const auto converted = V1_2::utils::convert(executed->second);
                NNAPI_RETURN_IF_ERROR(asGeneralFailure(converted.status()));
                timing = *converted;
            }
            return reply(V1_0::ErrorStatus::NONE, executed->first, timing);
        }
        const ExecutionError failure = executed.error();
        if (failure.code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return executed.status();
        return reply(driver::hidl_calls::halCodeOf(failure.code), failure.outputShapes,
                     driver::hidl_calls::kNoTiming);
    }
    NNAPI_CATCH

    Status reply(V1_0::ErrorStatus status, const std::vector<OutputShape>& outputShapes,
                 const V1_2::Timing& timing) {
        driver::writeResult(mPacket, status, outputShapes, timing);
        if (mResults->send(mPacket)) return {};
        return error() << "a result of " << mPacket.size() << " data does not fit into the queue";
    }

    void fail(ErrorStatus code) {
        // If not even this fits, the client is not reading.
        static constexpr std::array<OutputShape, 0> kNone{};
        driver::writeResult(mPacket, driver::hidl_calls::halCodeOf(code), kNone,
                            driver::hidl_calls::kNoTiming);
        (void)mResults->send(mPacket);
    }

    static Status asGeneralFailure(const Status& status) {
        return status.ok() ? status
                           : makeError(ErrorStatus::GENERAL_FAILURE, std::string(status.message()));
    }

    const std::shared_ptr<RequestChannel> mRequests;
    const std::shared_ptr<ResultChannel> mResults;
    const SharedBurst mBurst;
    Slots mSlots;
    const std::chrono::microseconds mWindow;
    std::atomic<bool> mIsEnded{false};
    std::mutex mMutex{};
    std::condition_variable mCondition{};
    bool mHasEnded = false;

    // Used by the worker only, and reused for each packet.
    Request mRequest{};
    std::vector<int32_t> mAsked{};
    std::vector<FmqResultDatum> mPacket{};
};

class BurstContext final : public V1_2::IBurstContext {
   public:
    explicit BurstContext(std::shared_ptr<Server> server) : mServer(std::move(server)) {}
    ~BurstContext() override;

    Status start(const sp<V1_2::IBurstCallback>& client) NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(death, utils::DeathHandler::create(client));
        mClientDeath = std::move(death);
        mClientDeath->protectCallbackForLifetimeOfDeathHandler(mServer);
        mWorker = std::thread([server = mServer] { server->work(); });
        return {};
    }
    NNAPI_CATCH

    hidl::Return<void> freeMemory(int32_t slot) override {
        mServer->slots().forget(slot);
        return hidl::Void();
    }

   private:
    // Longer than any execution should take.
    static constexpr Duration kLongestWait = std::chrono::seconds(10);

    std::shared_ptr<Server> mServer;
    std::optional<utils::DeathHandler> mClientDeath{};
    std::thread mWorker{};
};

BurstContext::~BurstContext() {
    mClientDeath.reset();
    if (!mWorker.joinable()) return;
    mServer->end();
    // The worker itself may drop the last reference, and a hanging execution must not hang its
    // client. So do not join: the worker owns all that it needs.
    if (mWorker.get_id() == std::this_thread::get_id() || !mServer->waitForEnd(kLongestWait)) {
        mWorker.detach();
    } else {
        mWorker.join();
    }
}

}  // namespace

GeneralResult<sp<V1_2::IBurstContext>> serveBurst(
        const sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<FmqResultDatum>& resultChannel, SharedBurst burst,
        std::chrono::microseconds pollingTimeWindow) NNAPI_TRY {
    if (callback == nullptr) return error() << "callback is null";
    if (burst == nullptr) return error() << "burst is null";
    auto requests = RequestChannel::open(requestChannel);
    if (requests == nullptr) return error() << "requestChannel is not a queue with an event flag";
    auto results = ResultChannel::open(resultChannel);
    if (results == nullptr) return error() << "resultChannel is not a queue with an event flag";
    auto context = sp<BurstContext>::make(
            std::make_shared<Server>(std::move(requests), std::move(results), callback,
                                     std::move(burst), pollingTimeWindow));
    NNAPI_RETURN_IF_ERROR(context->start(callback));
    return sp<V1_2::IBurstContext>(std::move(context));
}
NNAPI_CATCH

GeneralResult<sp<V1_2::IBurstContext>> makeBurstContext(
        const sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<FmqResultDatum>& resultChannel, SharedBurst burst,
        std::chrono::microseconds pollingTimeWindow) {
    const auto checked = contain([&]() -> GeneralResult<SharedBurst> {
        return driver::checkResults(std::move(burst), nullptr);
    });
    if (!checked.has_value()) return checked.status();
    return serveBurst(callback, requestChannel, resultChannel, *checked, pollingTimeWindow);
}

}  // namespace nn::hal::adapter
