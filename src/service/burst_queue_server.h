// The server's end of a burst over queues.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "service/burst_queue.h"
#include "service/session.h"

namespace nn::service {

// Executes the packets of a queue on a thread, which nothing joins, so that a hanging driver blocks
// nobody. Thread-safe.
class QueueWorker {
   public:
    QueueWorker(std::shared_ptr<ServerState> state, CallBounds bounds, SharedDevice device,
                SharedBurst burst, std::shared_ptr<QueueChannel> requests,
                std::shared_ptr<QueueChannel> results)
        : mServerState(std::move(state)),
          mBounds(std::move(bounds)),
          mDevice(std::move(device)),
          mBurst(std::move(burst)),
          mRequests(std::move(requests)),
          mResults(std::move(results)) {}

    // RESOURCE_EXHAUSTED_TRANSIENT if no thread can be started. The tokens are released when the
    // thread ends.
    static Status start(std::shared_ptr<QueueWorker> worker, Tokens tokens);
    // Ends the thread after its current execution.
    void end();

    // Assigns a slot to a memory, without owning the memory.
    Result<uint32_t> keep(const SharedMemory& memory);

   private:
    void work();
    void serve(const PacketReader::Packet& packet);
    ExecutionResult<Executed> execute(const PacketReader::Packet& packet);
    GeneralResult<Request::MemoryPool> poolOf(rpc::Request::Pool::Reader from) const;
    void answer(uint64_t number, const ExecutionResult<Executed>& executed);

    const std::shared_ptr<ServerState> mServerState;
    const CallBounds mBounds;
    const SharedDevice mDevice;
    const SharedBurst mBurst;
    const std::shared_ptr<QueueChannel> mRequests;
    const std::shared_ptr<QueueChannel> mResults;
    std::atomic<bool> mIsEnded{false};
    PacketWriter mWriter{};  // used by the thread only

    mutable std::mutex mMutex{};
    std::unordered_map<uint32_t, std::weak_ptr<const Memory>> mKnown{};
    uint32_t mLast = 0;
    size_t mSweepAt = 64;
};

class QueuesServer final : public rpc::Queues::Server {
   public:
    QueuesServer(SharedSession session, std::shared_ptr<QueueWorker> worker)
        : mSession(std::move(session)), mWorker(std::move(worker)) {}
    ~QueuesServer() noexcept(false) { mWorker->end(); }

   protected:
    kj::Promise<void> keep(KeepContext context) override;

   private:
    SharedSession mSession;
    std::shared_ptr<QueueWorker> mWorker;
};

using QueuesContext =
        capnp::CallContext<rpc::Burst::OpenQueuesParams, rpc::Burst::OpenQueuesResults>;
// Answers Burst.openQueues().
kj::Promise<void> openQueues(const SharedSession& session, const SharedDevice& device,
                             const SharedBurst& burst, QueuesContext context);

}  // namespace nn::service
