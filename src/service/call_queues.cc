#include "service/call_queues.h"

#include <algorithm>
#include <utility>

#include "base/no_throw.h"

namespace nn::service {

using Argument = Request::Argument;

CallQueues::CallQueues(std::shared_ptr<const Connection> connection, const Use& use,
                       std::shared_ptr<QueueChannel> requests,
                       std::shared_ptr<QueueChannel> results)
    : mConnection(std::move(connection)),
      mUse(use),
      mRequests(std::move(requests)),
      mResults(std::move(results)) {
    mConnectionEnd->results = mResults;
    mListening = mConnection->onEnd([end = mConnectionEnd](const Status& why) {
        end->why = why;
        end->hasEnded.store(true, std::memory_order_release);
        end->results->interrupt();
    });
}

std::shared_ptr<const CallQueues> CallQueues::open(const RemoteObject& object, const Use& use,
                                                   const OptionalTimePoint& deadline, Ask ask) {
    if (object.connection().isRemote()) return nullptr;
    auto requests = QueueChannel::create(kQueueLength);
    auto results = QueueChannel::create(kQueueLength);
    if (requests == nullptr || results == nullptr) return nullptr;
    auto opened = object.connection().call<Reply>(
            "openQueues", deadline,
            [ask = std::move(ask), requests, results](Connection::State& state) {
                return ask(state, *requests, *results);
            });
    if (!opened.has_value()) return nullptr;
    std::shared_ptr<CallQueues> made(new CallQueues(object.sharedConnection(), use,
                                                    std::move(requests), std::move(results)));
    made->mQueues = *std::move(opened);
    return made;
}

// ---- of a prepared model

namespace {

// Opening queues costs as much time as a few calls.
constexpr uint32_t kRepetitionsBeforeQueues = 8;
// Of one connection: bursts need the others that a client may have.
constexpr size_t kMostModels = 4;

}  // namespace

ModelQueues::~ModelQueues() {
    if (mQueues != nullptr) --mModel.connection().modelsWithQueues();
}

void ModelQueues::open(const OptionalTimePoint& deadline) const {
    std::atomic<size_t>& models = mModel.connection().modelsWithQueues();
    if (models.fetch_add(1) < kMostModels)
        mQueues = CallQueues::open<rpc::PreparedModel>(mModel, CallQueues::kOfModel, deadline);
    if (mQueues == nullptr) --models;
    mIsOpen.store(mQueues != nullptr, std::memory_order_release);
}

// Memory that is used once has no slot, and cannot be sent through queues.
bool ModelQueues::isToOpen(const Request& request) const {
    const auto* memory =
            request.pools.empty() ? nullptr : std::get_if<SharedMemory>(&request.pools[0]);
    const std::lock_guard lock(mMutex);
    if (memory != nullptr && mLastMemory.lock() != *memory) {
        mLastMemory = *memory;
        return false;
    }
    return ++mRepetitions == kRepetitionsBeforeQueues;
}

std::optional<ExecutionResult<Executed>> ModelQueues::execute(
        const driver::ExecutionCall& call, const SharedOutputSignatures& signatures) const {
    if (!mIsOpen.load(std::memory_order_acquire)) {
        if (mIsDecided.load(std::memory_order_relaxed) || !mModel.connection().isOfThisProcess() ||
            !isToOpen(call.request))
            return {};
        mIsDecided = true;
        open(call.deadline);
        if (mQueues == nullptr) return {};
    }
    return mQueues->execute(call, signatures);
}

// ---- arguments

namespace {

// False for arguments that are rejected. The call that replaces the queues reports the reason.
bool canMove(const Request& request) {
    const auto isMovable = [](const Argument& argument) {
        const auto& pointer = argument.location.pointer;
        return argument.lifetime != Argument::LifeTime::POINTER || argument.location.length == 0 ||
               std::visit([](const void* data) { return data != nullptr; }, pointer);
    };
    const auto isWritable = [&](const Argument& argument) {
        return isMovable(argument) && (argument.lifetime != Argument::LifeTime::POINTER ||
                                       std::holds_alternative<void*>(argument.location.pointer));
    };
    return std::all_of(request.inputs.begin(), request.inputs.end(), isMovable) &&
           std::all_of(request.outputs.begin(), request.outputs.end(), isWritable);
}

}  // namespace

Status CallQueues::grow(uint32_t size, MappedMemory& pool) {
    if (pool.memory != nullptr && size <= pool.mapping.size()) return {};
    NNAPI_ASSIGN_OR_RETURN(grown, MappedMemory::create(driver::keptSize(size)));
    pool = std::move(grown);
    return {};
}

// Moves arguments behind pointers into pools.
Status CallQueues::move(const Request& request, Request& moved) const {
    moved = request;
    const auto enter = [&](std::vector<Argument>& arguments, const driver::Pieces& pieces,
                           MappedMemory& pool) -> Status {
        if (pieces.empty()) return {};
        NNAPI_RETURN_IF_ERROR(grow(pieces.size, pool));
        const auto index = static_cast<uint32_t>(moved.pools.size());
        size_t next = 0;
        for (Argument& argument : arguments) {
            if (argument.lifetime != Argument::LifeTime::POINTER) continue;
            const Relocation::Piece& piece = pieces.pieces[next++];
            argument.lifetime = Argument::LifeTime::POOL;
            argument.location = {
                    .poolIndex = index, .offset = piece.offset, .length = piece.length};
        }
        moved.pools.push_back(pool.memory);
        return {};
    };
    NNAPI_RETURN_IF_ERROR(enter(moved.inputs, mInputs, mInputPool));
    NNAPI_RETURN_IF_ERROR(enter(moved.outputs, mOutputs, mOutputPool));
    if (!mInputs.empty()) mInputs.copyTo(mInputPool.mapping);
    return {};
}

// Sends each memory to the server once, by a call.
Result<uint32_t> CallQueues::slotOf(const SharedMemory& memory,
                                    const OptionalTimePoint& deadline) const {
    const auto known = mSlots.find(memory.get());
    const bool isKnown = known != mSlots.end() && !known->second.owner.expired();
    if (isKnown && known->second.number != 0) return known->second.number;
    if (!isKnown && mSlots.size() >= mSweepAt) {
        std::erase_if(mSlots, [](const auto& each) { return each.second.owner.expired(); });
        mSweepAt = std::max<size_t>(64, 2 * mSlots.size());
    }
    if (!isKnown && !mUse.keepsAtOnce) {
        mSlots[memory.get()] = {.owner = memory};
        return 0;
    }
    auto slot = mConnection->call<GeneralResult<uint32_t>>(
            mUse.call, deadline, [queues = *mQueues, memory](Connection::State& state) {
                auto request = state.capability<rpc::Queues>(queues.id()).keepRequest();
                request.setMemory(state.share(memory));
                return request.send().then([](auto&& reply) -> GeneralResult<uint32_t> {
                    NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                    return reply.getSlot();
                });
            });
    if (!slot.has_value()) return slot.status();
    mSlots[memory.get()] = {.owner = memory, .number = *slot};
    return *slot;
}

// ---- one execution

std::optional<ExecutionResult<Executed>> CallQueues::execute(
        const driver::ExecutionCall& call, const SharedOutputSignatures& signatures) const {
    if (!mConnection->isOfThisProcess()) return {};
    const driver::ExclusiveUse::Turn turn = mExclusiveUse.tryTake();
    if (!turn.isTaken() || !isFree() || !canMove(call.request)) return {};
    Status planned;
    mInputs.plan(call.request.inputs, planned);
    mOutputs.plan(call.request.outputs, planned);
    const bool isSmall = mInputs.size <= driver::kMaxKept && mOutputs.size <= driver::kMaxKept;
    if (!planned.ok() || !isSmall) return {};

    Request moved;
    const bool isMoved = !mInputs.empty() || !mOutputs.empty();
    if (isMoved && !move(call.request, moved).ok()) return {};
    const Request& request = isMoved ? moved : call.request;
    bool isKnown = true;
    std::vector<std::optional<uint32_t>> slots;
    slots.reserve(request.pools.size());
    for (const Request::MemoryPool& pool : request.pools) {
        const auto* memory = std::get_if<SharedMemory>(&pool);
        if (memory == nullptr) return {};
        slots.emplace_back();
        if (*memory == nullptr) continue;
        auto slot = slotOf(*memory, call.deadline);
        if (!slot.ok()) return ExecutionResult<Executed>(slot.status());
        isKnown = isKnown && *slot != 0;
        slots.back() = *slot;
    }
    if (!isKnown) return {};
    const auto packet = mWriter.write<rpc::Execute>(++mNumber, [&](rpc::Execute::Builder to) {
        write(call.with(request), to);
        auto pools = to.getRequest().initPools(count(slots.size()));
        for (unsigned i = 0; i < pools.size(); ++i) {
            if (slots[i]) pools[i].setSlot(*slots[i]);
        }
    });
    if (!packet || !mRequests->send(*packet)) return {};
    auto executed =
            driver::checkExecutionResult(await(call.deadline), {request.outputs, signatures.get()},
                                         call.measure, kServerResults);
    if (executed.has_value() && !mOutputs.empty()) mOutputs.copyFrom(mOutputPool.mapping);
    return executed;
}

// Reads the packets that the server has sent meanwhile: the reply to an abandoned execution, and
// unsolicited packets.
bool CallQueues::isFree() const {
    if (!mRequests->isValid() || !mResults->isValid()) return false;
    if (!mResults->isEmpty()) (void)received();
    return !mHasOutstandingReply;
}

// The reply to the current execution, if it has arrived.
std::optional<ExecutionResult<Executed>> CallQueues::received() const {
    std::optional<ExecutionResult<Executed>> reply;
    PacketReader packets(mResults->receive());
    while (const auto packet = packets.next()) {
        if (packet->number != mNumber || reply) continue;
        mHasOutstandingReply = false;
        const bool isSound = readMessage<rpc::Executed>(
                packet->message,
                [&](rpc::Executed::Reader executed) { reply = executedOf(executed); });
        if (!isSound) reply = error() << "the server sends a malformed packet";
    }
    if (packets.isMalformed() && !reply) reply = error() << "the server sends an ill-formed packet";
    return reply;
}

ExecutionResult<Executed> CallQueues::await(const OptionalTimePoint& deadline) const {
    const ClientOptions& options = mConnection->options();
    const bool isBounded = deadline && *deadline != TimePoint::max();
    const hal::utils::WaitPolicy patience(
            isBounded ? driver::after(std::max(*deadline, TimePoint()), options.grace)
                      : std::nullopt,
            options.ceiling);
    const auto window =
            mUse.polls ? std::max(options.burstPollingTimeWindow, std::chrono::microseconds::zero())
                       : std::chrono::microseconds::zero();
    // A server that takes longer than a heartbeat must reply to pings meanwhile.
    const bool beats = !isBounded && options.heartbeat > Duration::zero();
    std::shared_ptr<const void> waiting;
    mHasOutstandingReply = true;
    while (true) {
        OptionalTimePoint end = patience.end();
        if (beats && waiting == nullptr) {
            end = std::min(end, driver::after(Clock::now(), options.heartbeat / 4));
        }
        switch (mResults->await(window, mConnectionEnd->hasEnded, end)) {
            case driver::Awaited::READY:
                if (auto reply = received()) return *std::move(reply);
                break;
            case driver::Awaited::ENDED:
                return error(ErrorStatus::DEAD_OBJECT)
                       << mUse.call << ": " << messageOf(mConnectionEnd->why);
            case driver::Awaited::BROKEN:
                return error() << "the server has spoilt the queues of the " << mUse.owner;
            case driver::Awaited::TIMED_OUT:
                break;
        }
        if (Clock::now() >= patience.end()) return patience.exceeded(mUse.call);
        if (beats && waiting == nullptr) waiting = mConnection->waiting();
    }
}

}  // namespace nn::service
