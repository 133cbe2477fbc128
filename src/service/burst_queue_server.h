// The server's end of the queues of a burst or a prepared model.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/memory/execution_call.h"
#include "service/burst_queue.h"
#include "service/session.h"

namespace nn::service {

// Executes the packets of a queue on a thread, which nothing joins, so that a hanging driver blocks
// no other thread. Thread-safe.
class QueueWorker {
   public:
    // How the driver executes, and how long its thread polls for the next execution.
    struct Executor {
        SharedDevice device{};
        std::function<ExecutionResult<Executed>(const driver::OwnedCall&)> execute{};
        std::chrono::microseconds pollingTimeWindow{};
    };

    QueueWorker(std::shared_ptr<ServerState> state, CallBounds bounds, Executor executor,
                std::shared_ptr<QueueChannel> requests, std::shared_ptr<QueueChannel> results)
        : mServerState(std::move(state)),
          mBounds(std::move(bounds)),
          mExecutor(std::move(executor)),
          mRequests(std::move(requests)),
          mResults(std::move(results)) {}

    // A running worker for the queues that a client has sent.
    static Result<std::shared_ptr<QueueWorker>> open(
            Session& session, Executor executor, rpc::Queue::Reader requests,
            rpc::Queue::Reader results, GeneralResult<std::vector<SharedHandle>> memories);

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
    void reply(uint64_t number, const ExecutionResult<Executed>& executed);

    const std::shared_ptr<ServerState> mServerState;
    const CallBounds mBounds;
    const Executor mExecutor;
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

// Implements openQueues().
template <class Context>
kj::Promise<void> openQueues(const SharedSession& session, QueueWorker::Executor executor,
                             Context context) {
    return session->handles(context.getParams().getDescriptors())
            .then([session, executor = std::move(executor),
                   context](GeneralResult<std::vector<SharedHandle>>&& handles) mutable {
                const auto params = context.getParams();
                auto worker = QueueWorker::open(*session, std::move(executor), params.getRequests(),
                                                params.getResults(), std::move(handles));
                auto results = context.getResults();
                if (!worker.ok()) return write(worker.status(), results.initFailure());
                results.setQueues(kj::heap<QueuesServer>(session, *std::move(worker)));
            });
}

}  // namespace nn::service
