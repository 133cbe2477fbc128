#include "driver/aidl/burst_wrapper.h"

#include "driver/aidl/aidl_prepared_model.h"
#include "driver/memory/burst_slots.h"
#include "driver/memory/call_objects.h"
#include "driver/wrap/prepared_model_wrapper.h"

namespace nn::driver::aidl {
namespace {

using Hold = BurstSlots::Hold;

Status busy() { return error() << "the burst executes already, allowed one at a time"; }

using DriverCall = Call<AidlPreparedModel>;

// Calls with tokens for the memories that the driver keeps.
class BurstWrapper final : public CallBurst, public std::enable_shared_from_this<BurstWrapper> {
   public:
    BurstWrapper(std::shared_ptr<aidl_hal::IBurst> driver, HalVersion version,
                 const WrapOptions& options, SharedOutputSignatures outputs)
        : mDriver(std::move(driver)),
          mVersion(version),
          mOptions(options),
          mOutputs(std::move(outputs)) {
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
                std::make_shared<const Execution>(shared_from_this(), std::move(outgoing)));
    }

   private:
    bool hasConfigs() const { return mVersion >= since::kHints; }
    std::string_view nameOfExecute() const {
        return hasConfigs() ? "IBurst::executeSynchronouslyWithConfig"
                            : "IBurst::executeSynchronously";
    }

    // A request in the form that is sent, and cache holds for its tokens.
    struct Outgoing {
        DriverCall call{};
        std::vector<int64_t> tokens{};
        std::vector<Hold> holds{};
        std::vector<Request::Argument> outputs{};
    };

    // A reusable execution: waits for its turn in the burst.
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
        LossReporter reporter(mVersion, mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<AidlPreparedModel>(given, mLastRequest, reporter));
        reporter.report(nameOfExecute());
        const Request& request = given.request;
        Outgoing outgoing{.call = std::move(call), .outputs = request.outputs};
        // For memory that is not cached, such as that made for arguments.
        outgoing.tokens.assign(outgoing.call.request->pools.size(), kNotKept);
        for (size_t i = 0; i < request.pools.size(); ++i) {
            const auto* memory = std::get_if<SharedMemory>(&request.pools[i]);
            if (memory == nullptr || *memory == nullptr) continue;
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
            NNAPI_ASSIGN_OR_RETURN(converted,
                                   convertFor<AidlPreparedModel::kNewest>(mVersion, deadline));
            halDeadline = converted;
        }
        call.moved.relocation.input.flush();
        auto reported = logged(mOptions.log, VlogTag::EXECUTION, "driver", nameOfExecute(), [&] {
            return report(nameOfExecute(), [&](auto* result) {
                const auto& [request, arguments] =
                        std::tie(*outgoing.call.request, outgoing.call.arguments);
                if (hasConfigs()) {
                    return mDriver->executeSynchronouslyWithConfig(
                            request, outgoing.tokens, arguments.config(), halDeadline, result);
                }
                return mDriver->executeSynchronously(request, outgoing.tokens, arguments.measure,
                                                     halDeadline, arguments.loopTimeoutDuration,
                                                     result);
            });
        });
        if (!reported.has_value()) return reported.status();
        auto executed = checkExecutionResult(*std::move(reported), {outputs, mOutputs.get()},
                                             call.measure, nameOfExecute());
        if (executed.has_value()) call.moved.relocation.output.flush();
        return executed;
    }

    static constexpr int64_t kNotKept = -1;

    const std::shared_ptr<aidl_hal::IBurst> mDriver;
    const HalVersion mVersion;
    const WrapOptions mOptions;
    const SharedOutputSignatures mOutputs;
    const std::shared_ptr<BurstSlots> mMemory = std::make_shared<BurstSlots>();
    LastRequestOf<AidlPreparedModel> mLastRequest{};
    mutable ExclusiveUse mTurns{};
};

}  // namespace

GeneralResult<SharedBurst> wrapBurst(std::shared_ptr<aidl_hal::IBurst> driver, HalVersion version,
                                     const WrapOptions& options, SharedOutputSignatures outputs) {
    return SharedBurst(std::make_shared<const BurstWrapper>(std::move(driver), version, options,
                                                            std::move(outputs)));
}

}  // namespace nn::driver::aidl
