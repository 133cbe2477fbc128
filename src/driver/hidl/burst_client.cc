#include "driver/hidl/burst_client.h"

#include <atomic>
#include <optional>
#include <utility>

#include "base/no_throw.h"
#include "driver/fences/fences.h"
#include "driver/hidl/burst_callback.h"
#include "driver/hidl/burst_packets.h"
#include "driver/hidl/transport.h"
#include "driver/memory/burst_channel.h"
#include "driver/memory/call_objects.h"
#include "driver/memory/scratch_pools.h"
#include "driver/threads/exclusive_use.h"
#include "driver/wrap/execution_report.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/relocation.h"

namespace nn::driver {
namespace {

using nn::hidl::sp;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using RequestChannel = BurstChannel<FmqRequestDatum>;
using ResultChannel = BurstChannel<FmqResultDatum>;
using Hold = BurstSlots::Hold;
using Argument = Request::Argument;

Status spoilt() { return error() << "the driver has spoilt the queues of the burst"; }

Status busy() { return error() << "the burst executes already, allowed one at a time"; }

bool hasPassed(const OptionalTimePoint& deadline) { return deadline && Clock::now() >= *deadline; }

// Tracks whether the driver is dead, and wakes the threads that wait for it.
struct Life final : public hal::utils::IProtectedCallback {
    std::atomic<bool> isDead{false};
    std::shared_ptr<ResultChannel> results{};

    void notifyAsDeadObject() override {
        isDead.store(true, std::memory_order_release);
        results->interrupt();
    }
};

// A pool that holds arguments from the caller's memory.
struct Pool {
    Mapping mapping{};
    int32_t slot = 0;
    Hold hold{};
};

// A request in the form that is sent, and the objects that must live until the result arrives.
struct Outgoing {
    std::vector<FmqRequestDatum> packet{};
    std::vector<Hold> holds{};
    Pieces inputs{};
    Pieces outputs{};
};

class BurstClient final : public CallBurst, public std::enable_shared_from_this<BurstClient> {
   public:
    BurstClient(SharedPreparedModel preparedModel, std::chrono::microseconds window,
                WrapOptions options, SharedOutputSignatures outputs)
        : mPreparedModel(std::move(preparedModel)),
          mWindow(window),
          mOptions(std::move(options)),
          mOutputs(std::move(outputs)) {}

    Status connect(const sp<V1_2::IPreparedModel>& driver);

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        if (memory.get() == nullptr) return nullptr;
        auto cached = mMemory->tryToCache(memory);
        return cached.has_value() ? std::move(cached->second) : nullptr;
    }

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        const ExclusiveUse::Turn turn = mTurns.tryTake();
        if (!turn.isTaken()) return busy();
        NNAPI_RETURN_IF_ERROR(check(call.measure, call.deadline));
        if (!V1_2::utils::compliantVersion(call.request).ok()) return call.on(*mPreparedModel);
        NNAPI_RETURN_IF_ERROR(settle(call.deadline));
        Relocated relocated;
        NNAPI_RETURN_IF_ERROR(write(call.request, call.measure, mOutgoing, relocated));
        if (!mRequests->hasRoomFor(mOutgoing.packet)) {
            mOutgoing.holds.clear();
            return call.on(*mPreparedModel);
        }
        reportLosses(call);
        auto executed =
                sendAndReceive(mOutgoing, call.request.outputs, call.measure, call.deadline);
        mOutgoing.holds.clear();
        if (executed.has_value() && !mOutgoing.outputs.empty()) {
            mOutgoing.outputs.copyFrom(relocated.output->mapping);
        }
        return executed;
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override;

   private:
    friend class ReusableExecution;
    friend class OrdinaryExecution;

    // The pools of an execution: shared ones, or its own.
    struct Relocated {
        const Pool* input = nullptr;
        const Pool* output = nullptr;
        Pool ownInput{};
        Pool ownOutput{};
    };

    Status dead() const {
        return error(ErrorStatus::DEAD_OBJECT) << "the driver of the burst is dead";
    }
    Status check(MeasureTiming measure, const OptionalTimePoint& deadline) const {
        if (mLife->isDead.load(std::memory_order_acquire)) return dead();
        NNAPI_RETURN_IF_ERROR(nn::validate(measure).status());
        if (!mRequests->isValid() || !mResults->isValid()) return spoilt();
        if (hasPassed(deadline)) {
            return error(ErrorStatus::MISSED_DEADLINE_PERSISTENT)
                   << "the deadline has passed before the execution";
        }
        return {};
    }
    Status write(const Request& request, MeasureTiming measure, Outgoing& outgoing,
                 Relocated& relocated) const;
    Status endWith(const sp<nn::hidl::IBase>& object);

    Status makePool(uint32_t size, Pool& pool) const;
    Status poolFor(uint32_t size, Pool& kept, Pool& own, const Pool*& used) const;

    Status settle(const OptionalTimePoint& deadline) const;
    Status await(const OptionalTimePoint& deadline) const;
    ExecutionResult<Executed> sendAndReceive(const Outgoing& outgoing,
                                             std::span<const Argument> outputs,
                                             MeasureTiming measure,
                                             const OptionalTimePoint& deadline) const;
    ExecutionResult<Executed> resultOf(std::span<const FmqResultDatum> packet,
                                       std::span<const Argument> outputs,
                                       MeasureTiming measure) const;
    void reportLosses(const ExecutionCall& call) const;

    const SharedPreparedModel mPreparedModel;
    const std::chrono::microseconds mWindow;
    const WrapOptions mOptions;
    const SharedOutputSignatures mOutputs;
    std::shared_ptr<BurstSlots> mMemory = std::make_shared<BurstSlots>();
    std::shared_ptr<RequestChannel> mRequests{};
    std::shared_ptr<ResultChannel> mResults{};
    std::shared_ptr<Life> mLife = std::make_shared<Life>();
    std::vector<hal::utils::DeathHandler> mDeaths{};  // of prepared model and context

    // The turn guards the members below.
    mutable ExclusiveUse mTurns{};
    // Reused by successive executions; guarded by the turn.
    mutable Outgoing mOutgoing{};
    mutable Pool mInputPool{};
    mutable Pool mOutputPool{};
    // Objects of a request whose result was not awaited: the driver may still read and write them.
    mutable bool mIsOwed = false;
    mutable std::vector<Hold> mOwed{};
};

// The death of an object ends the wait for results.
Status BurstClient::endWith(const sp<nn::hidl::IBase>& object) {
    NNAPI_ASSIGN_OR_RETURN(death, hal::utils::DeathHandler::create(object));
    death.protectCallbackForLifetimeOfDeathHandler(mLife);
    mDeaths.push_back(std::move(death));
    return {};
}

Status BurstClient::connect(const sp<V1_2::IPreparedModel>& driver) {
    mRequests = RequestChannel::create(V1_2::utils::kExecutionBurstChannelLength);
    mResults = ResultChannel::create(V1_2::utils::kExecutionBurstChannelLength);
    if (mRequests == nullptr || mResults == nullptr) {
        return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) << "no memory for message queues";
    }
    mLife->results = mResults;
    NNAPI_RETURN_IF_ERROR(endWith(driver));

    using Returned = std::pair<V1_0::ErrorStatus, sp<V1_2::IBurstContext>>;
    const auto result = std::make_shared<hal::utils::TransferValue<Returned>>();
    const auto called = driver->configureExecutionBurst(
            sp<BurstCallback>::make(mMemory), mRequests->descriptor(), mResults->descriptor(),
            [result](V1_0::ErrorStatus status, const sp<V1_2::IBurstContext>& context) {
                result->put({status, context});
            });
    if (!called.isOk()) return hidl_calls::failureOf(called, "configureExecutionBurst");
    const auto taken = result->take(TimePoint{});
    if (!taken) return error() << "configureExecutionBurst returns no result";
    const auto& [status, context] = *taken;
    if (status != V1_0::ErrorStatus::NONE) {
        const ErrorStatus code = hidl_calls::codeOf(status);
        return error(code) << "configureExecutionBurst returns " << toString(code);
    }
    if (context == nullptr) return error() << "configureExecutionBurst returns no context";
    NNAPI_RETURN_IF_ERROR(endWith(context));
    mMemory->setRelease([context = context](int32_t slot) -> Status {
        return hidl_calls::failureOf(context->freeMemory(slot), "freeMemory");
    });
    return {};
}

// ---- arguments in the caller's memory

Status BurstClient::makePool(uint32_t size, Pool& pool) const {
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(std::max(size, 1u)));
    NNAPI_ASSIGN_OR_RETURN(mapping, map(memory));
    auto [slot, hold] = mMemory->cacheMemory(memory);
    pool = {.mapping = std::move(mapping), .slot = slot, .hold = std::move(hold)};
    return {};
}

// Small pools are reused and grow, so that the driver maps them once.
Status BurstClient::poolFor(uint32_t size, Pool& kept, Pool& own, const Pool*& used) const {
    const bool isKept = size <= kMaxKept;
    used = isKept ? &kept : &own;
    if (isKept && kept.hold != nullptr && size <= kept.mapping.size()) return {};
    return isKept ? makePool(keptSize(size), kept) : makePool(size, own);
}

// Writes the packet, copies inputs from the caller's memory, and assigns slots to all pools.
// Requests with arguments in the caller's memory need the turn.
Status BurstClient::write(const Request& request, MeasureTiming measure, Outgoing& outgoing,
                          Relocated& relocated) const {
    auto& [packet, holds, inputs, outputs] = outgoing;
    Status planned;
    inputs.plan(request.inputs, planned);
    outputs.plan(request.outputs, planned);
    NNAPI_RETURN_IF_ERROR(planned);
    holds.clear();
    if (!inputs.empty()) {
        NNAPI_RETURN_IF_ERROR(
                poolFor(inputs.size, mInputPool, relocated.ownInput, relocated.input));
        inputs.copyTo(relocated.input->mapping);
        holds.push_back(relocated.input->hold);
    }
    if (!outputs.empty()) {
        NNAPI_RETURN_IF_ERROR(
                poolFor(outputs.size, mOutputPool, relocated.ownOutput, relocated.output));
        holds.push_back(relocated.output->hold);
    }
    const size_t given = request.pools.size();
    const size_t pools = given + (inputs.empty() ? 0 : 1) + (outputs.empty() ? 0 : 1);
    const auto inputIndex = saturatingCast<uint32_t>(given);
    const auto outputIndex = saturatingCast<uint32_t>(pools - 1);

    const auto locate = [](const Argument& argument, uint32_t poolIndex, const Pieces& pieces,
                           size_t& next) -> V1_0::DataLocation {
        if (argument.lifetime == Argument::LifeTime::POINTER) {
            const Relocation::Piece& piece = pieces.pieces[next++];
            return {.poolIndex = poolIndex, .offset = piece.offset, .length = piece.length};
        }
        return {.poolIndex = argument.location.poolIndex,
                .offset = argument.location.offset,
                .length = argument.location.length};
    };
    RequestWriter writer(packet, request.inputs.size(), request.outputs.size(), pools);
    size_t next = 0;
    for (const Argument& input : request.inputs) {
        writer.input(input.lifetime == Argument::LifeTime::NO_VALUE,
                     locate(input, inputIndex, inputs, next), input.dimensions);
    }
    next = 0;
    for (const Argument& output : request.outputs) {
        writer.output(output.lifetime == Argument::LifeTime::NO_VALUE,
                      locate(output, outputIndex, outputs, next), output.dimensions);
    }
    for (const Request::MemoryPool& pool : request.pools) {
        auto [slot, hold] = mMemory->cacheMemory(std::get<SharedMemory>(pool));
        writer.pool(slot);
        holds.push_back(std::move(hold));
    }
    if (relocated.input != nullptr) writer.pool(relocated.input->slot);
    if (relocated.output != nullptr) writer.pool(relocated.output->slot);
    writer.measure(measure == MeasureTiming::YES ? V1_2::MeasureTiming::YES
                                                 : V1_2::MeasureTiming::NO);
    return {};
}

// ---- one round trip

Status BurstClient::await(const OptionalTimePoint& deadline) const {
    const OptionalTimePoint end = deadline ? deadline : after(Clock::now(), mOptions.ceiling);
    switch (mResults->await(mWindow, mLife->isDead, end)) {
        case Awaited::READY:
            return {};
        case Awaited::ENDED:
            return dead();
        case Awaited::BROKEN:
            return spoilt();
        case Awaited::TIMED_OUT:
            break;
    }
    if (deadline) {
        return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
               << "the driver has not replied before the deadline";
    }
    return error()
           << "the driver has not replied in "
           << std::chrono::duration_cast<std::chrono::milliseconds>(mOptions.ceiling).count()
           << " ms";
}

// Discards the result that an earlier execution did not wait for, and unexpected packets from the
// driver.
Status BurstClient::settle(const OptionalTimePoint& deadline) const {
    if (mIsOwed) {
        NNAPI_RETURN_IF_ERROR(await(deadline));
        mIsOwed = false;
        mOwed.clear();
    }
    if (!mResults->isEmpty()) (void)mResults->receive();
    return {};
}

ExecutionResult<Executed> BurstClient::sendAndReceive(const Outgoing& outgoing,
                                                      std::span<const Argument> outputs,
                                                      MeasureTiming measure,
                                                      const OptionalTimePoint& deadline) const {
    if (!mRequests->send(outgoing.packet)) return spoilt();
    if (Status awaited = await(deadline); !awaited.ok()) {
        mIsOwed = true;
        mOwed = outgoing.holds;
        return awaited;
    }
    return resultOf(mResults->receive(), outputs, measure);
}

ExecutionResult<Executed> BurstClient::resultOf(std::span<const FmqResultDatum> packet,
                                                std::span<const Argument> outputs,
                                                MeasureTiming measure) const {
    V1_0::ErrorStatus status{};
    std::vector<OutputShape> shapes;
    V1_2::Timing halTiming{};
    if (const Status read = readResult(packet, status, shapes, halTiming); !read.ok()) {
        return error() << "the driver sends an ill-formed packet: " << std::string(read.message());
    }
    const ErrorStatus code = hidl_calls::codeOf(status);
    hal::utils::ExecutionReport report{.code = code, .outputShapes = std::move(shapes)};
    if (measure == MeasureTiming::YES) report.timing = nn::convert(halTiming);
    return checkExecutionResult(std::move(report), {outputs, mOutputs.get()}, measure,
                                "IBurst::execute");
}

// ---- losses

void BurstClient::reportLosses(const ExecutionCall& call) const {
    if (!mOptions.onLoss) return;
    const auto& [request, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix] =
            call;
    Losses losses;
    // The request with all arguments in pools, so that it converts.
    Request arguments{.inputs = request.inputs, .outputs = request.outputs};
    for (auto* side : {&arguments.inputs, &arguments.outputs}) {
        for (Argument& argument : *side) {
            if (argument.lifetime != Argument::LifeTime::POINTER) continue;
            argument = {.lifetime = Argument::LifeTime::POOL, .dimensions = argument.dimensions};
        }
    }
    (void)V1_2::utils::unvalidatedConvert(arguments, &losses).ok();
    const auto lose = [&](std::string_view path, std::string before, std::string_view after,
                          std::string_view why) {
        losses.push_back(
                {std::string(path), std::move(before), std::string(after), std::string(why)});
    };
    if (deadline) {
        lose("deadline", "given", "none",
             "a burst of HAL 1.2 has no deadlines; only the wait for its result ends");
    }
    if (loopTimeoutDuration) {
        lose("loopTimeoutDuration", std::to_string(loopTimeoutDuration->count()) + " ns", "2 s",
             "a burst of HAL 1.2 has no time limits of loops");
    }
    if (!hints.empty()) {
        lose("hints", std::to_string(hints.size()) + " given", "none",
             "a burst of HAL 1.2 has no hints");
    }
    if (!extensionNameToPrefix.empty()) {
        lose("extensionNameToPrefix", std::to_string(extensionNameToPrefix.size()) + " given",
             "none", "a burst of HAL 1.2 has no extensions of its own");
    }
    if (!losses.empty()) mOptions.onLoss("IBurst::execute", losses);
}

// ---- reusable executions

// A reusable execution: pools keep their slots, so each computation sends the same packet.
class ReusableExecution final : public UnfencedExecution {
   public:
    ReusableExecution(std::shared_ptr<const BurstClient> burst, SharedRequest shared,
                      MeasureTiming measure)
        : mBurst(std::move(burst)), mShared(std::move(shared)), mMeasure(measure) {}

    Status prepare() {
        BurstClient::Relocated nothing;
        return mBurst->write(mShared.request, mMeasure, mOutgoing, nothing);
    }

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        const ExclusiveUse::Turn turn = mBurst->mTurns.tryTake();
        if (!turn.isTaken()) return busy();
        NNAPI_RETURN_IF_ERROR(mBurst->check(mMeasure, deadline));
        NNAPI_RETURN_IF_ERROR(mBurst->settle(deadline));
        if (!mBurst->mRequests->hasRoomFor(mOutgoing.packet)) {
            return error() << "the request is " << mOutgoing.packet.size() << " data, allowed "
                           << V1_2::utils::kExecutionBurstChannelLength << " in a burst";
        }
        mBurst->reportLosses({{}, mMeasure, deadline, {}, {}, {}});
        mShared.relocation.input.flush();
        auto executed =
                mBurst->sendAndReceive(mOutgoing, mShared.request.outputs, mMeasure, deadline);
        if (executed.has_value()) mShared.relocation.output.flush();
        return executed;
    }
    NNAPI_CATCH

   private:
    const std::shared_ptr<const BurstClient> mBurst;
    const SharedRequest mShared;
    const MeasureTiming mMeasure;
    Outgoing mOutgoing{};
};

// A reusable execution that does not fit into the queues: computed through the prepared model, in
// its turn.
class OrdinaryExecution final : public UnfencedExecution {
   public:
    OrdinaryExecution(std::shared_ptr<const BurstClient> burst, SharedExecution execution,
                      MeasureTiming measure)
        : mBurst(std::move(burst)), mExecution(std::move(execution)), mMeasure(measure) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        const ExclusiveUse::Turn turn = mBurst->mTurns.tryTake();
        if (!turn.isTaken()) return busy();
        NNAPI_RETURN_IF_ERROR(mBurst->check(mMeasure, deadline));
        return mExecution->compute(deadline);
    }

   private:
    const std::shared_ptr<const BurstClient> mBurst;
    const SharedExecution mExecution;
    const MeasureTiming mMeasure;
};

GeneralResult<SharedExecution> BurstClient::makeExecution(const ExecutionCall& call) const {
    NNAPI_RETURN_IF_ERROR(check(call.measure, std::nullopt));
    if (!V1_2::utils::compliantVersion(call.request).ok()) {
        auto ordinary = call.reusableOn(*mPreparedModel);
        if (!ordinary.has_value()) return ordinary;
        return SharedExecution(std::make_shared<const OrdinaryExecution>(
                shared_from_this(), *std::move(ordinary), call.measure));
    }
    NNAPI_ASSIGN_OR_RETURN(shared, convertRequestFromPointerToShared(call.request));
    auto execution = std::make_shared<ReusableExecution>(shared_from_this(), std::move(shared),
                                                         call.measure);
    NNAPI_RETURN_IF_ERROR(execution->prepare());
    reportLosses(call);
    return SharedExecution(std::move(execution));
}

}  // namespace

GeneralResult<SharedBurst> hidl_calls::wrapBurst(SharedPreparedModel preparedModel,
                                                 const sp<V1_2::IPreparedModel>& driver,
                                                 std::chrono::microseconds pollingTimeWindow,
                                                 WrapOptions options,
                                                 SharedOutputSignatures outputs) NNAPI_TRY {
    if (preparedModel == nullptr) return error() << "preparedModel is null";
    if (driver == nullptr) return error() << "driver is null";
    auto burst = std::make_shared<BurstClient>(std::move(preparedModel), pollingTimeWindow,
                                               std::move(options), std::move(outputs));
    NNAPI_RETURN_IF_ERROR(burst->connect(driver));
    return SharedBurst(std::move(burst));
}
NNAPI_CATCH

}  // namespace nn::driver

namespace nn {
namespace V1_2 NNAPI_BINDING::utils {

GeneralResult<SharedBurst> Burst::create(SharedPreparedModel preparedModel,
                                         nn::hidl::sp<V1_2::IPreparedModel> driver,
                                         std::chrono::microseconds pollingTimeWindow,
                                         WrapOptions options) {
    return driver::hidl_calls::wrapBurst(std::move(preparedModel), driver, pollingTimeWindow,
                                         std::move(options), nullptr);
}

}  // namespace NNAPI_BINDING::utils
}  // namespace nn
