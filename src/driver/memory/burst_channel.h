// One direction of a burst: a message queue that carries whole packets, with waiting for the next
// one.
#pragma once

#include <absl/algorithm/container.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/hal/hidl/message_queue.h"

namespace nn::driver {

// Tells the processor that this is a spin loop.
inline void pauseSpinning() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

enum class Awaited : uint8_t { READY, TIMED_OUT, ENDED, BROKEN };

template <class Datum>
class BurstChannel {
    using Queue = hidl::MessageQueue<Datum, hidl::kSynchronizedReadWrite>;

   public:
    // Null where memory runs out.
    static std::shared_ptr<BurstChannel> create(size_t length) {
        return taken(std::make_unique<Queue>(length, /*configureEventFlagWord=*/true));
    }
    // Null where the descriptor is not of a queue with an event flag, or the queue is larger than
    // any burst needs.
    static std::shared_ptr<BurstChannel> open(const hidl::MQDescriptorSync<Datum>& descriptor) {
        if (!isSmall(descriptor)) return nullptr;
        return taken(std::make_unique<Queue>(descriptor, /*resetPointers=*/false));
    }
    BurstChannel(const BurstChannel&) = delete;
    BurstChannel& operator=(const BurstChannel&) = delete;
    ~BurstChannel() { hidl::EventFlag::deleteEventFlag(&mFlag); }

    const hidl::MQDescriptorSync<Datum>& descriptor() const { return *mQueue->getDesc(); }
    // False, permanently, once the peer has corrupted the counters.
    bool isValid() const { return mQueue->isValid(); }

    // ---- by the thread that sends

    bool hasRoomFor(std::span<const Datum> packet) const {
        return packet.size() <= mQueue->availableToWrite();
    }
    size_t capacity() const { return mQueue->getQuantumCount(); }
    // Sends the whole packet, or nothing.
    bool send(std::span<const Datum> packet) {
        if (!mQueue->write(packet.data(), packet.size())) return false;
        mFlag->wake(hidl::FMQ_NOT_EMPTY);
        return true;
    }

    // ---- by the thread that receives

    bool isEmpty() const { return mQueue->availableToRead() == 0; }
    // Everything in the queue, which is one packet if the peer follows the protocol; valid until
    // the next call.
    std::span<const Datum> receive() {
        const size_t count = mQueue->availableToRead();
        if (mReceived.size() < count) mReceived.resize(count);
        return {mReceived.data(), mQueue->read(mReceived.data(), count) ? count : 0};
    }
    // Waits for data: polls for the given time, then sleeps. ENDED once isEnded is set.
    Awaited await(std::chrono::microseconds pollingTimeWindow, const std::atomic<bool>& isEnded,
                  const OptionalTimePoint& end) {
        if (pollingTimeWindow.count() > 0) {
            if (const auto seen = look(pollingTimeWindow, isEnded, end); seen) return *seen;
        }
        while (true) {
            if (const auto seen = lookOnce(isEnded); seen) return *seen;
            // Never sleeps indefinitely: the peer may undo the wake-up.
            Duration left = std::chrono::seconds(1);
            if (end) left = std::min(left, *end - Clock::now());
            if (left <= Duration::zero()) return Awaited::TIMED_OUT;
            uint32_t state = 0;
            mFlag->wait(hidl::FMQ_NOT_EMPTY, &state, left.count());
        }
    }

    // ---- by any thread

    // Wakes the receiving thread, so that it checks isEnded.
    void interrupt() {
        mQueue->getEventFlagWord()->fetch_and(~uint32_t{hidl::FMQ_NOT_EMPTY});
        mFlag->wake(hidl::FMQ_NOT_EMPTY);
    }

   private:
    // Sixteen times the size that HAL 1.2 clients use.
    static constexpr size_t kMaxData = size_t{1} << 14;
    // Of the mapping: parts that lie far from each other take addresses, which others need.
    static constexpr uint64_t kMaxBytes = uint64_t{1} << 20;
    static constexpr int kLooksBetweenClocks = 64;

    static bool isSmall(const hidl::MQDescriptorSync<Datum>& descriptor) {
        return absl::c_all_of(descriptor.grantors(), [](const auto& part) {
            return part.offset <= kMaxBytes && part.extent <= kMaxBytes - part.offset;
        });
    }

    explicit BurstChannel(std::unique_ptr<Queue> queue) : mQueue(std::move(queue)) {}

    static std::shared_ptr<BurstChannel> taken(std::unique_ptr<Queue> queue) {
        if (!queue->isValid() || queue->getQuantumCount() > kMaxData) return nullptr;
        std::shared_ptr<BurstChannel> channel(new BurstChannel(std::move(queue)));
        const auto made = hidl::EventFlag::createEventFlag(channel->mQueue->getEventFlagWord(),
                                                           &channel->mFlag);
        return made == hidl::NO_ERROR ? channel : nullptr;
    }

    std::optional<Awaited> lookOnce(const std::atomic<bool>& isEnded) const {
        if (!isEmpty()) return Awaited::READY;
        if (isEnded.load(std::memory_order_acquire)) return Awaited::ENDED;
        if (!isValid()) return Awaited::BROKEN;
        return std::nullopt;
    }
    std::optional<Awaited> look(std::chrono::microseconds window, const std::atomic<bool>& isEnded,
                                const OptionalTimePoint& end) const {
        using SteadyClock = std::chrono::steady_clock;
        const auto start = SteadyClock::now();
        while (SteadyClock::now() - start < window) {
            if (const auto seen = lookOnce(isEnded); seen) return seen;
            if (end && Clock::now() >= *end) return Awaited::TIMED_OUT;
            std::this_thread::yield();  // to the peer, where both share a processor
            for (int i = 0; i < kLooksBetweenClocks; ++i) {
                if (!isEmpty()) return Awaited::READY;
                pauseSpinning();
            }
        }
        return std::nullopt;
    }

    std::unique_ptr<Queue> mQueue;
    hidl::EventFlag* mFlag = nullptr;
    std::vector<Datum> mReceived{};
};

}  // namespace nn::driver
