// The client's end of a burst of AIDL: calls with tokens for the memories that the driver keeps.
#include "driver/aidl/versions.h"
#include "driver/memory/burst_slots.h"
#include "driver/memory/call_objects.h"

namespace nn::driver::aidl {
namespace {

using Hold = BurstSlots::Hold;

Status busy() { return error() << "the burst executes already, allowed one at a time"; }

template <HalVersion V>
class BurstWrapper final : public CallBurst, public std::enable_shared_from_this<BurstWrapper<V>> {
    static constexpr bool kHasConfigs = V >= since::kHints;
    static constexpr std::string_view kExecute =
            kHasConfigs ? "IBurst::executeSynchronouslyWithConfig" : "IBurst::executeSynchronously";

   public:
    BurstWrapper(std::shared_ptr<aidl_hal::IBurst> driver, const WrapOptions& options,
                 SharedOutputSignatures outputs)
        : mDriver(std::move(driver)), mOptions(options), mOutputs(std::move(outputs)) {
        mMemory->setRelease([released = mDriver](int32_t token) {
            return failureOf(released->releaseMemoryResource(token), "releaseMemoryResource");
        });
    }

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        if (memory.get() == nullptr) return nullptr;
        auto cached = mMemory->tryToCache(memory);
        return cached.has_value() ? std::move(cached->second) : nullptr;
    }

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        const ExclusiveUse::Turn turn = mTurns.tryTake();
        if (!turn.isTaken()) return busy();
        NNAPI_ASSIGN_OR_RETURN(outgoing, make(call));
        return run(outgoing, call.deadline);
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        NNAPI_ASSIGN_OR_RETURN(outgoing, make(call));
        return SharedExecution(
                std::make_shared<const Execution>(this->shared_from_this(), std::move(outgoing)));
    }

   private:
    // A request as it is sent, and what the tokens in it keep.
    struct Outgoing {
        Call<V> call{};
        std::vector<int64_t> tokens{};
        std::vector<Hold> holds{};
        std::vector<Request::Argument> outputs{};
    };

    // One that is computed in its turn.
    class Execution final : public UnfencedExecution {
       public:
        Execution(std::shared_ptr<const BurstWrapper> burst, Outgoing outgoing)
            : mBurst(std::move(burst)), mOutgoing(std::move(outgoing)) {}

        ExecutionResult<Executed> compute(
                const OptionalTimePoint& deadline) const override NNAPI_TRY {
            const ExclusiveUse::Turn turn = mBurst->mTurns.tryTake();
            if (!turn.isTaken()) return busy();
            return mBurst->run(mOutgoing, deadline);
        }
        NNAPI_CATCH

       private:
        const std::shared_ptr<const BurstWrapper> mBurst;
        const Outgoing mOutgoing;
    };

    Result<Outgoing> make(const ExecutionCall& given) const {
        LossReporter reporter(V, mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<V>(given, mLastRequest, reporter));
        reporter.tell(kExecute);
        const Request& request = given.request;
        Outgoing outgoing{.call = std::move(call), .outputs = request.outputs};
        // Of what is not kept, as of memory that was made for the arguments.
        outgoing.tokens.assign(outgoing.call.request->pools.size(), kNotKept);
        for (size_t i = 0; i < request.pools.size(); ++i) {
            const auto* memory = std::get_if<SharedMemory>(&request.pools[i]);
            if (memory == nullptr || memory->get() == nullptr) continue;
            auto [token, hold] = mMemory->find(*memory);
            outgoing.tokens[i] = token;
            if (hold != nullptr) outgoing.holds.push_back(std::move(hold));
        }
        return outgoing;
    }

    ExecutionResult<Executed> run(const Outgoing& outgoing,
                                  const OptionalTimePoint& deadline) const {
        const auto& [call, tokens, holds, outputs] = outgoing;
        int64_t halDeadline = kNoTime;
        if (deadline) {
            NNAPI_ASSIGN_OR_RETURN(converted, convertTo<V>(deadline));
            halDeadline = converted;
        }
        call.moved.relocation.input.flush();
        auto reported = logged(mOptions.log, VlogTag::EXECUTION, "driver", kExecute, [&] {
            return report(kExecute, [&](auto* result) {
                const auto& [request, arguments] =
                        std::tie(*outgoing.call.request, outgoing.call.arguments);
                if constexpr (kHasConfigs) {
                    return mDriver->executeSynchronouslyWithConfig(
                            request, outgoing.tokens, arguments.config(), halDeadline, result);
                } else {
                    return mDriver->executeSynchronously(request, outgoing.tokens,
                                                         arguments.measure, halDeadline,
                                                         arguments.loopTimeoutDuration, result);
                }
            });
        });
        if (!reported.has_value()) return reported.status();
        auto executed =
                judge(*std::move(reported), {outputs, mOutputs.get()}, call.measure, kExecute);
        if (executed.has_value()) call.moved.relocation.output.flush();
        return executed;
    }

    static constexpr int64_t kNotKept = -1;

    const std::shared_ptr<aidl_hal::IBurst> mDriver;
    const WrapOptions mOptions;
    const SharedOutputSignatures mOutputs;
    const std::shared_ptr<BurstSlots> mMemory = std::make_shared<BurstSlots>();
    LastRequestOf<V> mLastRequest{};
    mutable ExclusiveUse mTurns{};
};

}  // namespace

template <HalVersion V>
GeneralResult<SharedBurst> wrapBurst(std::shared_ptr<aidl_hal::IBurst> driver,
                                     const WrapOptions& options, SharedOutputSignatures outputs) {
    return SharedBurst(std::make_shared<const BurstWrapper<V>>(std::move(driver), options,
                                                               std::move(outputs)));
}

#define NNAPI_WRAP_BURST(V)                                       \
    template GeneralResult<SharedBurst> wrapBurst<HalVersion::V>( \
            std::shared_ptr<aidl_hal::IBurst>, const WrapOptions&, SharedOutputSignatures);
NNAPI_WRAP_BURST(AIDL1)
NNAPI_WRAP_BURST(AIDL2)
NNAPI_WRAP_BURST(AIDL3)
NNAPI_WRAP_BURST(AIDL4)
#undef NNAPI_WRAP_BURST

}  // namespace nn::driver::aidl
