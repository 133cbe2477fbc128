#include "service/burst_queue_server.h"

#include <algorithm>
#include <utility>

#include "base/no_throw.h"
#include "service/descriptors.h"
#include "service/execution_request.h"

namespace nn::service {
namespace {

// Counts an execution as a running driver call.
class CallCount {
   public:
    explicit CallCount(ServerState& state) : mServerState(state) { ++mServerState.calls; }
    CallCount(const CallCount&) = delete;
    CallCount& operator=(const CallCount&) = delete;
    ~CallCount() { --mServerState.calls; }

   private:
    ServerState& mServerState;
};

}  // namespace

Result<std::shared_ptr<QueueWorker>> QueueWorker::open(
        Session& session, Executor executor, rpc::Queue::Reader requests,
        rpc::Queue::Reader results, GeneralResult<std::vector<SharedHandle>> memories) {
    if (!memories.has_value()) return memories.status();
    memories->resize(2);  // a missing one is not a queue
    for (const SharedHandle& memory : *memories) {
        if (memory != nullptr) NNAPI_RETURN_IF_ERROR(checkFile(memory->get()));
    }
    NNAPI_ASSIGN_OR_RETURN(requestQueue, queueOf(requests, (*memories)[0]));
    NNAPI_ASSIGN_OR_RETURN(resultQueue, queueOf(results, (*memories)[1]));
    // Each queue and each event flag may keep a descriptor.
    NNAPI_ASSIGN_OR_RETURN(tokens, session.ledger()->take({.descriptors = 4, .threads = 1}));
    auto worker = std::make_shared<QueueWorker>(session.sharedServerState(), session.bounds(),
                                                std::move(executor), std::move(requestQueue),
                                                std::move(resultQueue));
    NNAPI_RETURN_IF_ERROR(start(worker, std::move(tokens)));
    return worker;
}

Status QueueWorker::start(std::shared_ptr<QueueWorker> worker, Tokens tokens) NNAPI_TRY {
    auto thread = std::make_shared<driver::ThreadPool>(1);
    driver::ThreadPool& starting = *thread;
    starting.run([worker = std::move(worker), tokens = std::make_shared<Tokens>(std::move(tokens)),
                  thread = std::move(thread)] { worker->work(); });
    return {};
}
NNAPI_CATCH

void QueueWorker::end() {
    mIsEnded.store(true, std::memory_order_release);
    mRequests->interrupt();
}

Result<uint32_t> QueueWorker::keep(const SharedMemory& memory) {
    const std::lock_guard lock(mMutex);
    if (mKnown.size() >= mSweepAt) {
        std::erase_if(mKnown, [](const auto& each) { return each.second.expired(); });
        mSweepAt = std::max<size_t>(64, 2 * mKnown.size());
    }
    if (mKnown.size() >= mServerState->options.objectsPerClient) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "the burst has " << mKnown.size() << " slots, allowed "
                      << mServerState->options.objectsPerClient);
    }
    mKnown[++mLast] = memory;
    return mLast;
}

void QueueWorker::work() {
    const auto window = std::max(mExecutor.pollingTimeWindow, std::chrono::microseconds::zero());
    while (mRequests->await(window, mIsEnded, std::nullopt) == driver::Awaited::READY) {
        if (mIsEnded.load(std::memory_order_acquire)) return;
        PacketReader packets(mRequests->receive());
        while (const auto packet = packets.next()) serve(*packet);
        if (packets.isMalformed()) return;
    }
}

void QueueWorker::serve(const PacketReader::Packet& packet) {
    const CallCount count(*mServerState);
    try {
        const auto executed = execute(packet);
        // Without a client, the execution was stopped, and no reply is needed.
        if (!mBounds.isClientGone->load()) reply(packet.number, executed);
    } catch (...) {
        reply(packet.number, statusOfException());
    }
}

ExecutionResult<Executed> QueueWorker::execute(const PacketReader::Packet& packet) {
    driver::OwnedCall call;
    Status status;
    const bool isSound = readMessage<rpc::Execute>(packet.message, [&](rpc::Execute::Reader from) {
        call = readCall(from);
        auto request = std::make_shared<Request>(readRequest(from));
        for (const auto pool : from.getRequest().getPools()) {
            auto found = poolOf(pool);
            if (!found.has_value()) {
                status = found.status();
                return;
            }
            request->pools.push_back(*std::move(found));
        }
        call.request = std::move(request);
    });
    if (!isSound) return error() << "the packet of the burst is malformed";
    if (!status.ok()) return status;
    call.deadline = mBounds.deadline(call.deadline, *mExecutor.device);
    return mBounds.run([&] { return mExecutor.execute(call); });
}

GeneralResult<Request::MemoryPool> QueueWorker::poolOf(rpc::Request::Pool::Reader from) const {
    if (from.isNone()) return Request::MemoryPool(SharedMemory());
    if (!from.isSlot()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "a pool of a burst's packet is of another kind than a slot";
    }
    const std::lock_guard lock(mMutex);
    const auto known = mKnown.find(from.getSlot());
    auto memory = known == mKnown.end() ? nullptr : known->second.lock();
    if (memory != nullptr) return Request::MemoryPool(std::move(memory));
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "slot " << from.getSlot() << " of the burst has no memory";
}

void QueueWorker::reply(uint64_t number, const ExecutionResult<Executed>& executed) {
    const auto put = [&](const ExecutionResult<Executed>& result) {
        const auto packet = mWriter.write<rpc::Executed>(
                number, [&](rpc::Executed::Builder to) { write(result, to); });
        return packet && mResults->send(*packet);
    };
    if (put(executed)) return;
    // Without its message, or its shapes. If not even this fits, the client is not reading.
    if (executed.has_value()) {
        (void)put(error() << "the reply does not fit into the queue of the burst");
    } else {
        const ExecutionError failure = executed.error();
        (void)put(ExecutionError("a message that does not fit into the queue of the burst",
                                 failure.code, failure.outputShapes));
    }
}

kj::Promise<void> QueuesServer::keep(KeepContext context) {
    return mSession->memory(context.getParams().getMemory())
            .then([worker = mWorker, context](GeneralResult<SharedMemory>&& memory) mutable {
                auto results = context.getResults();
                if (!memory.has_value()) return write(memory.status(), results.initFailure());
                const auto slot = worker->keep(*memory);
                if (!slot.ok()) return write(slot.status(), results.initFailure());
                results.setSlot(*slot);
            });
}

}  // namespace nn::service
