// The queues of a burst: packets in memory that client and server map. A packet is copied before it
// is read, and may still hold anything.
#pragma once

#include <capnp/message.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driver/memory/burst_channel.h"
#include "nnapi/driver/result.h"
#include "service/wire.h"

namespace nn::service {

using QueueChannel = driver::BurstChannel<uint64_t>;

// Words that a queue holds, and so the longest packet.
inline constexpr size_t kQueueLength = 1024;

// ---- queues as they travel

// The descriptor of the queue's memory; -1 where there is none.
int descriptorOf(const QueueChannel& channel);
void write(const QueueChannel& channel, rpc::Queue::Builder to);
// INVALID_ARGUMENT where that is not a queue, or one that is too large.
Result<std::shared_ptr<QueueChannel>> queueOf(rpc::Queue::Reader from, const SharedHandle& memory);

// ---- packets

// Writes packets one after the other into the same memory.
class PacketWriter {
   public:
    // Nothing where the message is longer than a packet may be; valid until the next call.
    template <class Root, class Fill>
    std::optional<std::span<const uint64_t>> write(uint64_t number, Fill&& fill) {
        capnp::MallocMessageBuilder message(
                kj::arrayPtr(reinterpret_cast<capnp::word*>(mScratch.data()), mScratch.size()));
        fill(message.initRoot<Root>());
        const auto segments = message.getSegmentsForOutput();
        if (segments.size() != 1 || segments[0].size() > kQueueLength - kHeader) return {};
        mPacket.assign({kHeader + segments[0].size(), number});
        const auto* words = reinterpret_cast<const uint64_t*>(segments[0].begin());
        mPacket.insert(mPacket.end(), words, words + segments[0].size());
        return mPacket;
    }

   private:
    friend class PacketReader;
    static constexpr size_t kHeader = 2;

    std::vector<uint64_t> mScratch = std::vector<uint64_t>(kQueueLength);  // zero, when not in use
    std::vector<uint64_t> mPacket{};
};

// Takes packets apart, of all that a queue had.
class PacketReader {
   public:
    explicit PacketReader(std::span<const uint64_t> words) : mWords(words) {}

    struct Packet {
        uint64_t number = 0;
        std::span<const uint64_t> message{};
    };
    // Nothing after the last one. One that claims more words than there are ends them, too.
    std::optional<Packet> next();
    bool isSpoilt() const { return mIsSpoilt; }

   private:
    std::span<const uint64_t> mWords;
    bool mIsSpoilt = false;
};

// Reads a message; false where the engine finds it malformed.
template <class Root, class Read>
bool readMessage(std::span<const uint64_t> message, Read&& read) {
    const kj::ArrayPtr<const capnp::word> segment(
            reinterpret_cast<const capnp::word*>(message.data()), message.size());
    try {
        capnp::SegmentArrayMessageReader reader(
                kj::arrayPtr(&segment, 1),
                {.traversalLimitInWords = 8 * kQueueLength, .nestingLimit = 16});
        read(reader.getRoot<Root>());
    } catch (const kj::Exception&) {
        return false;
    }
    return true;
}

}  // namespace nn::service
