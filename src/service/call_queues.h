// The client's end of the queues of a burst or a prepared model.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/no_throw.h"
#include "driver/memory/scratch_pools.h"
#include "driver/threads/exclusive_use.h"
#include "service/burst_queue.h"
#include "service/remote.h"

namespace nn::service {

// Thread-safe; one of several concurrent executions uses the queues.
class CallQueues {
   public:
    // How executions use the queues.
    struct Use {
        const char* call;  // as messages name it
        const char* owner;
        bool polls;  // for the duration in the client's options
        // If true, a call assigns a slot to a memory at its first use; otherwise at its second use,
        // and the first execution is a call.
        bool keepsAtOnce;
    };
    static constexpr Use kOfBurst{"IBurst::execute", "burst", true, true};
    static constexpr Use kOfModel{"execute", "prepared model", false, false};

    // Null if client or server cannot use queues. I is the interface of the object.
    template <class I>
    static std::shared_ptr<const CallQueues> open(const RemoteObject& object, const Use& use,
                                                  const OptionalTimePoint& deadline = {});

    // Empty if the execution needs a call: the queues are in use (possibly by an abandoned
    // execution), or the request does not fit.
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
        uint32_t number = 0;  // the server's count from 1; 0 until the memory is used again
    };

    using Reply = GeneralResult<RemoteObject>;
    using Ask = std::function<kj::Promise<Reply>(
            Connection::State& state, const QueueChannel& requests, const QueueChannel& results)>;

    CallQueues(std::shared_ptr<const Connection> connection, const Use& use,
               std::shared_ptr<QueueChannel> requests, std::shared_ptr<QueueChannel> results);
    static std::shared_ptr<const CallQueues> open(const RemoteObject& object, const Use& use,
                                                  const OptionalTimePoint& deadline, Ask ask);

    bool isFree() const;
    Status move(const Request& request, Request& moved) const;
    static Status grow(uint32_t size, MappedMemory& pool);
    // 0 if the memory has no slot yet.
    Result<uint32_t> slotOf(const SharedMemory& memory, const OptionalTimePoint& deadline) const;
    std::optional<ExecutionResult<Executed>> received() const;
    ExecutionResult<Executed> await(const OptionalTimePoint& deadline) const;

    const std::shared_ptr<const Connection> mConnection;
    const Use mUse;
    const std::shared_ptr<QueueChannel> mRequests;
    const std::shared_ptr<QueueChannel> mResults;
    const std::shared_ptr<ConnectionEnd> mConnectionEnd = std::make_shared<ConnectionEnd>();
    std::shared_ptr<const void> mListening{};
    std::optional<RemoteObject> mQueues{};

    mutable driver::ExclusiveUse mExclusiveUse{};
    // Guarded by mExclusiveUse.
    mutable uint64_t mNumber = 0;               // of the execution
    mutable bool mHasOutstandingReply = false;  // to an abandoned execution
    mutable PacketWriter mWriter{};
    mutable std::unordered_map<const Memory*, Slot> mSlots{};
    mutable size_t mSweepAt = 64;
    mutable driver::Pieces mInputs{};
    mutable driver::Pieces mOutputs{};
    mutable MappedMemory mInputPool{};
    mutable MappedMemory mOutputPool{};
};

template <class I>
std::shared_ptr<const CallQueues> CallQueues::open(const RemoteObject& object, const Use& use,
                                                   const OptionalTimePoint& deadline) {
    return open(object, use, deadline,
                [object](Connection::State& state, const QueueChannel& requests,
                         const QueueChannel& results) {
                    auto request = state.capability<I>(object.id()).openQueuesRequest();
                    service::write(requests, request.initRequests());
                    service::write(results, request.initResults());
                    auto descriptors = request.initDescriptors(2);
                    descriptors.set(0, kj::heap<DescriptorServer>(descriptorOf(requests)));
                    descriptors.set(1, kj::heap<DescriptorServer>(descriptorOf(results)));
                    return request.send().then([&state, object](auto&& reply) -> Reply {
                        NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                        if (!reply.hasQueues()) return error() << "the server returns no queues";
                        return RemoteObject(object.sharedConnection(),
                                            state.retain(reply.getQueues()));
                    });
                });
}

// The queues of a prepared model, opened once it has executed a few times with the same memory.
// Thread-safe.
class ModelQueues {
   public:
    explicit ModelQueues(RemoteObject model) : mModel(std::move(model)) {}
    ModelQueues(const ModelQueues&) = delete;
    ModelQueues& operator=(const ModelQueues&) = delete;
    ~ModelQueues();

    // Empty if the execution needs a call.
    std::optional<ExecutionResult<Executed>> execute(
            const driver::ExecutionCall& call, const SharedOutputSignatures& signatures) const;

   private:
    bool isToOpen(const Request& request) const;
    void open(const OptionalTimePoint& deadline) const;

    const RemoteObject mModel;
    mutable std::mutex mMutex{};
    mutable uint32_t mRepetitions = 0;  // guarded by mMutex, as the next
    mutable std::weak_ptr<const Memory> mLastMemory{};
    mutable std::atomic<bool> mIsDecided{false};  // opened, or never to be
    mutable std::shared_ptr<const CallQueues> mQueues{};
    mutable std::atomic<bool> mIsOpen{false};  // mQueues is set
};

// A reusable execution, which uses calls while the queues do not support it.
template <class Queues>
class QueuedExecution final : public IExecution {
   public:
    QueuedExecution(std::shared_ptr<const Queues> queues, SharedExecution byCall,
                    driver::OwnedCall call, SharedOutputSignatures signatures)
        : mQueues(std::move(queues)),
          mByCall(std::move(byCall)),
          mCall(std::move(call)),
          mSignatures(std::move(signatures)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        auto executed = mQueues->execute(mCall.lent(deadline), mSignatures);
        if (executed) return *std::move(executed);
        return mByCall->compute(deadline);
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return mByCall->computeFenced(waitFor, deadline, timeoutDurationAfterFence);
    }

   private:
    std::shared_ptr<const Queues> mQueues;
    SharedExecution mByCall;
    driver::OwnedCall mCall;
    SharedOutputSignatures mSignatures;
};

}  // namespace nn::service
