// Bursts of HAL 1.2 and 1.3: the queues, and the callback for memories.
#include <algorithm>
#include <map>
#include <utility>

#include "device_test/cases/protocol_hidl.h"
#include "driver/memory/burst_channel.h"
#include "nnapi/driver/burst.h"

namespace nn::testing::protocol {
namespace {

using driver::Awaited;
using nn::hidl::hidl_memory;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

// Memories by slot, and which of them the driver has asked for.
class SlotMemories {
   public:
    void put(int32_t slot, const hidl_memory& memory) {
        const std::lock_guard lock(mMutex);
        mMemories[slot] = memory;
        mAsked.erase(std::remove(mAsked.begin(), mAsked.end(), slot), mAsked.end());
    }
    std::vector<int32_t> asked() const {
        const std::lock_guard lock(mMutex);
        return mAsked;
    }
    // One memory for each slot; none if a slot is unused.
    hidl_vec<hidl_memory> get(const hidl_vec<int32_t>& slots) {
        const std::lock_guard lock(mMutex);
        hidl_vec<hidl_memory> memories;
        memories.resize(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) {
            mAsked.push_back(slots[i]);
            const auto known = mMemories.find(slots[i]);
            if (known == mMemories.end()) return {};
            memories[i] = known->second;
        }
        return memories;
    }

   private:
    mutable std::mutex mMutex{};
    std::map<int32_t, hidl_memory> mMemories{};
    std::vector<int32_t> mAsked{};
};

class StrictBurst final : public V1_2::IBurstCallback {
   public:
    StrictBurst(SharedCall call, std::shared_ptr<SlotMemories> memories)
        : mCall(std::move(call)), mMemories(std::move(memories)) {
        mCall->hold();
    }
    ~StrictBurst() override { mCall->release(); }

    Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) override {
        const hidl_vec<hidl_memory> memories = mMemories->get(slots);
        const bool isGood = memories.size() == slots.size();
        callback(isGood ? V1_0::ErrorStatus::NONE : V1_0::ErrorStatus::INVALID_ARGUMENT, memories);
        return hidl::Void();
    }

   private:
    const SharedCall mCall;
    const std::shared_ptr<SlotMemories> mMemories;
};

using Packet = std::vector<FmqRequestDatum>;

// The client's end of a burst.
class BurstEnd {
   public:
    Failure begin(const Client& client, const sp<V1_2::IPreparedModel>& prepared);
    // Sends a packet and reads the result packet.
    Failure exchange(const std::string& place, const Packet& packet, Reply& reply);
    // Nothing follows the last result packet.
    Failure checkEmpty(const std::string& place) const;

    SlotMemories& memories() { return *mMemories; }
    V1_2::IBurstContext& context() { return *mContext; }

   private:
    std::shared_ptr<SlotMemories> mMemories = std::make_shared<SlotMemories>();
    std::shared_ptr<driver::BurstChannel<FmqRequestDatum>> mRequests{};
    std::shared_ptr<driver::BurstChannel<FmqResultDatum>> mResults{};
    sp<V1_2::IBurstContext> mContext{};
    Duration mPatience{};
};

Failure BurstEnd::begin(const Client& client, const sp<V1_2::IPreparedModel>& prepared) {
    constexpr const char* kName = "configureExecutionBurst";
    constexpr size_t kLength = V1_2::utils::kExecutionBurstChannelLength;
    mPatience = client.ledger.patience();
    mRequests = driver::BurstChannel<FmqRequestDatum>::create(kLength);
    mResults = driver::BurstChannel<FmqResultDatum>::create(kLength);
    if (mRequests == nullptr || mResults == nullptr) return failed("the case", "no more memory");
    const SharedCall call = client.ledger.open({.name = kName, .since = HalVersion::V1_2});
    const auto returned = prepared->configureExecutionBurst(
            sp<StrictBurst>::make(call, mMemories), mRequests->descriptor(), mResults->descriptor(),
            [&](V1_0::ErrorStatus status, const sp<V1_2::IBurstContext>& context) {
                mContext = context;
                call->addReply(
                        {.status = static_cast<int32_t>(status), .hasObject = context != nullptr});
            });
    Reply reply;
    if (Failure failure = client.ledger.check(*call, statusOf(returned), &reply)) return failure;
    if ((reply.status == 0) != reply.hasObject) {
        return failed(kName,
                      fmt::format("returns {} with {}; NONE comes with a context, an error with "
                                  "null",
                                  codeText(reply.status), reply.hasObject ? "a context" : "null"),
                      "burst.configuration, protocol.burst_context");
    }
    return checkLegality(kName, reply, Legality::LEGAL);
}

Failure BurstEnd::exchange(const std::string& place, const Packet& packet, Reply& reply) {
    if (!mRequests->send(packet))
        return failed(place, "the queue of requests is full", "protocol.burst_packet");
    static const std::atomic<bool> kIsNeverOver = false;
    if (mResults->await({}, kIsNeverOver, Clock::now() + mPatience) != Awaited::READY) {
        return failed(place, "has no packet in reply; each request has one result",
                      "protocol.burst_packet");
    }
    const std::span<const FmqResultDatum> received = mResults->receive();
    const auto result =
            V1_2::utils::deserialize(std::vector<FmqResultDatum>(received.begin(), received.end()));
    if (!result.ok()) {
        return failed(place,
                      fmt::format("the reply is a packet of {} datums that is not one result: {}",
                                  received.size(), std::string(result.status().message())),
                      "burst.packet_format, protocol.burst_packet");
    }
    reply = executionReply({}, static_cast<int32_t>(result->status), result->outputShapes,
                           result->timing);
    if (reply.status < 0 || reply.status > static_cast<int32_t>(ErrorStatus::INVALID_ARGUMENT)) {
        return failed(place,
                      fmt::format("the reply is {}, allowed are the codes of HAL 1.2",
                                  codeText(reply.status)),
                      "hidl.statuses, protocol.codes");
    }
    return std::nullopt;
}

Failure BurstEnd::checkEmpty(const std::string& place) const {
    if (mResults->isEmpty()) return std::nullopt;
    return failed(place, "has a second packet in reply; each request has one result",
                  "protocol.burst_packet");
}

// The requests of a case, each after the result of the previous one.
class BurstRequests {
   public:
    explicit BurstRequests(BurstEnd& end) : mEnd(end) {}

    Failure begin(const SumArguments& sum);
    Failure run(const std::string& place, const Packet& packet, MeasureTiming measure,
                Legality legality);
    Packet packet(MeasureTiming measure) const {
        return V1_2::utils::serialize(mRequest, static_cast<V1_2::MeasureTiming>(measure), {0, 1});
    }
    Packet illegal() const {
        V1_0::Request request = mRequest;
        request.inputs.resize(1);
        return V1_2::utils::serialize(request, V1_2::MeasureTiming::NO, {0, 1});
    }
    Packet illFormed() const {
        Packet shorter = packet(MeasureTiming::NO);
        shorter.pop_back();
        return shorter;
    }

   private:
    BurstEnd& mEnd;
    V1_0::Request mRequest{};
};

// The pools get slots 0 and 1.
Failure BurstRequests::begin(const SumArguments& sum) {
    auto converted = V1_0::utils::convert(sum.request());
    if (!converted.ok()) return failedCall("the request of the case", converted.status());
    mRequest = *std::move(converted);
    for (size_t i = 0; i < mRequest.pools.size(); ++i) {
        mEnd.memories().put(static_cast<int32_t>(i), mRequest.pools[i]);
    }
    return std::nullopt;
}

Failure BurstRequests::run(const std::string& place, const Packet& packet, MeasureTiming measure,
                           Legality legality) {
    if (Failure failure = mEnd.checkEmpty(place)) return failure;
    Reply reply;
    Failure failure = mEnd.exchange(place, packet, reply);
    if (!failure) failure = checkLegality(place, reply, legality);
    if (!failure) failure = checkExecutionReply(place, reply, measure);
    return failure;
}

// The client frees its slots and uses them for other memories.
Failure reuseSlots(BurstEnd& end, BurstRequests& requests, const SumArguments& other) {
    for (const int32_t slot : {0, 1}) {
        const Result<int32_t> freed = statusOf(end.context().freeMemory(slot));
        if (!freed.ok()) return failedCall("freeMemory", freed.status(), "protocol.burst_memories");
    }
    const std::string place = "a request of the burst after freeMemory";
    Failure failure = requests.begin(other);
    if (!failure) {
        failure = requests.run(place, requests.packet(MeasureTiming::NO), MeasureTiming::NO,
                               Legality::LEGAL);
    }
    if (failure) return failure;
    const std::vector<int32_t> asked = end.memories().asked();
    for (const int32_t slot : {0, 1}) {
        if (std::ranges::count(asked, slot) != 0) continue;
        return failed(place,
                      fmt::format("goes on using the memory that slot {} had before: getMemories "
                                  "is not asked for the new one",
                                  slot),
                      "burst.released_slot, protocol.burst_memories");
    }
    return other.checkSum(place, "burst.released_slot, protocol.burst_memories");
}

}  // namespace

namespace hidl_client {

Failure burst(const Client& client) {
    if (client.driver.version < HalVersion::V1_2) return notSupported("bursts (since HAL 1.2)");
    HidlPreparedModels prepared;
    if (Failure failure = prepareNewest(client, addition(3), &prepared)) return failure;
    SumArguments sum, other(2);
    for (SumArguments* each : {&sum, &other}) {
        if (Failure failure = each->begin()) return failure;
    }
    BurstEnd end;
    if (Failure failure = end.begin(client, prepared.v1_2)) return failure;
    BurstRequests requests(end);
    if (Failure failure = requests.begin(sum)) return failure;
    const struct {
        const char* place;
        Packet packet;
        MeasureTiming measure;
        Legality legality;
    } kRows[] = {
            {"a request of the burst", requests.packet(MeasureTiming::NO), MeasureTiming::NO,
             Legality::LEGAL},
            {"a request without an input", requests.illegal(), MeasureTiming::NO,
             Legality::ILLEGAL},
            {"a packet without its last datum", requests.illFormed(), MeasureTiming::NO,
             Legality::ILLEGAL},
            {"a measured request after errors", requests.packet(MeasureTiming::YES),
             MeasureTiming::YES, Legality::LEGAL},
    };
    for (const auto& row : kRows) {
        Failure failure = requests.run(row.place, row.packet, row.measure, row.legality);
        if (!failure && row.legality == Legality::LEGAL)
            failure = sum.checkSum(row.place, "execution.result");
        if (failure) return failure;
    }
    if (Failure failure = reuseSlots(end, requests, other)) return failure;
    return end.checkEmpty("the last request of the burst");
}

}  // namespace hidl_client
}  // namespace nn::testing::protocol
