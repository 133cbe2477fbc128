// The client's end of a burst over queues.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <unordered_map>

#include "driver/memory/scratch_pools.h"
#include "driver/threads/exclusive_use.h"
#include "service/burst_queue.h"
#include "service/remote.h"

namespace nn::service {

// Thread-safe; one of several concurrent executions uses the queues.
class QueuedBurst {
   public:
    // Null if client or server cannot use queues.
    static std::shared_ptr<const QueuedBurst> open(const RemoteObject& burst);

    // Empty if the execution has to go by a call: the queues are in use (possibly by an abandoned
    // execution), or cannot carry it.
    std::optional<ExecutionResult<Executed>> execute(
            const driver::ExecutionCall& call, const SharedOutputSignatures& signatures) const;

   private:
    // Set when the connection ends.
    struct ConnectionEnd {
        std::shared_ptr<QueueChannel> results{};
        std::atomic<bool> hasEnded{false};
        Status why{};  // set before hasEnded
    };
    struct Slot {
        std::weak_ptr<const Memory> owner{};
        uint32_t number = 0;
    };

    QueuedBurst(std::shared_ptr<const Connection> connection,
                std::shared_ptr<QueueChannel> requests, std::shared_ptr<QueueChannel> results);

    bool isFree() const;
    Status move(const Request& request, Request& moved) const;
    static Status grow(uint32_t size, MappedMemory& pool);
    Result<uint32_t> slotOf(const SharedMemory& memory, const OptionalTimePoint& deadline) const;
    std::optional<ExecutionResult<Executed>> received() const;
    ExecutionResult<Executed> await(const OptionalTimePoint& deadline) const;

    const std::shared_ptr<const Connection> mConnection;
    const std::shared_ptr<QueueChannel> mRequests;
    const std::shared_ptr<QueueChannel> mResults;
    const std::shared_ptr<ConnectionEnd> mConnectionEnd = std::make_shared<ConnectionEnd>();
    std::shared_ptr<const void> mListening{};
    std::optional<RemoteObject> mQueues{};

    mutable driver::ExclusiveUse mExclusiveUse{};
    // Guarded by mExclusiveUse.
    mutable uint64_t mNumber = 0;                // of the execution
    mutable bool mHasOutstandingAnswer = false;  // an abandoned execution's answer is outstanding
    mutable PacketWriter mWriter{};
    mutable std::unordered_map<const Memory*, Slot> mSlots{};
    mutable driver::Pieces mInputs{};
    mutable driver::Pieces mOutputs{};
    mutable MappedMemory mInputPool{};
    mutable MappedMemory mOutputPool{};
};

}  // namespace nn::service
