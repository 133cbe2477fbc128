#include "runtime/devices/without_pointers.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "driver/fences/fence_arguments.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/relocation.h"
#include "passes/pointers.h"
#include "types/no_throw.h"

namespace nn::runtime {
namespace {

using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;

bool hasPointers(const Request& request) {
    return nn::hasPointers(request.inputs) || nn::hasPointers(request.outputs);
}

template <class Answer>
bool isRefused(const Answer& answer) {
    return !answer.has_value() && answer.error().code == ErrorStatus::INVALID_ARGUMENT;
}

class PreparedModel final : public IPreparedModel,
                            public std::enable_shared_from_this<PreparedModel> {
   public:
    PreparedModel(SharedPreparedModel inner, Duration ceiling)
        : mInner(std::move(inner)), mCeiling(ceiling) {}

    const SharedPreparedModel& inner() const { return mInner; }

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        return moved<ExecutionResult<Executed>>(
                request,
                [&](const Request& any) {
                    return mInner->execute(any, measure, deadline, loop, hints, prefixes);
                },
                [] { return Status(); }, [](ExecutionResult<Executed>&) { return Status(); });
    }

    GeneralResult<ExecutedFenced> executeFenced(const Request& request,
                                                const std::vector<SyncFence>& waitFor,
                                                MeasureTiming measure,
                                                const OptionalTimePoint& deadline,
                                                const OptionalDuration& loop,
                                                const OptionalDuration& after, const Hints& hints,
                                                const Prefixes& prefixes) const override {
        driver::FenceArguments fences{waitFor, deadline, after};
        return moved<GeneralResult<ExecutedFenced>>(
                request,
                [&](const Request& any) -> GeneralResult<ExecutedFenced> {
                    auto launched =
                            mInner->executeFenced(any, fences.waitFor, measure, fences.deadline,
                                                  loop, fences.timeoutAfterFences, hints, prefixes);
                    if (!launched.has_value()) return launched;
                    return driver::launchedAfter(fences.waited, *std::move(launched));
                },
                [&]() -> Status {
                    if (!nn::hasPointers(request.inputs)) return {};
                    NNAPI_ASSIGN_OR_RETURN(
                            left, driver::waitBeforeCopying("executeFenced", fences, mCeiling));
                    fences = std::move(left);
                    return {};
                },
                [&](GeneralResult<ExecutedFenced>& launched) -> Status {
                    const SyncFence fence = std::exchange(launched->first, SyncFence());
                    if (!fence.hasFd()) return {};
                    const hal::utils::WaitPolicy patience(fences.deadline, mCeiling);
                    const Duration left = patience.end() - Clock::now();
                    const SyncFence::FenceState state =
                            fence.syncWait(std::max(left, Duration::zero()));
                    if (state == SyncFence::FenceState::SIGNALED) return {};
                    if (state == SyncFence::FenceState::ACTIVE) {
                        return patience.exceeded("the fence of the execution");
                    }
                    const auto infos = launched->second();
                    if (!infos.has_value()) return infos.status();
                    return error() << "the fence of the execution has failed";
                });
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loop,
            const Hints& hints, const Prefixes& prefixes) const override {
        if (hasPointers(request)) {
            return SharedExecution(std::make_shared<const DefaultExecution>(
                    shared_from_this(), request, measure, loop, hints, prefixes));
        }
        return mInner->createReusableExecution(request, measure, loop, hints, prefixes);
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override;
    std::any getUnderlyingResource() const override { return mInner->getUnderlyingResource(); }

   private:
    // What the call answers to the request, or to what it is moved to; `before` returns when the
    // inputs are there, `wait` when the results are.
    template <class Answer, class Call, class Before, class Wait>
    Answer moved(const Request& request, Call&& call, Before&& before,
                 Wait&& wait) const NNAPI_TRY {
        if (!hasPointers(request)) return call(request);
        if (!mRefusesPointers) {
            Answer answer = call(request);
            if (!isRefused(answer)) return answer;
        }
        NNAPI_ASSIGN_OR_RETURN(shared, convertRequestFromPointerToShared(request));
        NNAPI_RETURN_IF_ERROR(before());
        shared.relocation.input.flush();
        Answer answer = call(shared.request);
        if (!isRefused(answer)) mRefusesPointers = true;
        if (!answer.has_value()) return answer;
        NNAPI_RETURN_IF_ERROR(wait(answer));
        shared.relocation.output.flush();
        return answer;
    }
    NNAPI_CATCH

    SharedPreparedModel mInner;
    Duration mCeiling;
    mutable std::atomic<bool> mRefusesPointers = false;
};

// Requests with pointers go to the prepared model.
class Burst final : public IBurst {
   public:
    Burst(std::shared_ptr<const PreparedModel> model, SharedBurst inner)
        : mModel(std::move(model)), mInner(std::move(inner)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        return mInner->cacheMemory(memory);
    }
    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        return hasPointers(request)
                       ? mModel->execute(request, measure, deadline, loop, hints, prefixes)
                       : mInner->execute(request, measure, deadline, loop, hints, prefixes);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loop,
            const Hints& hints, const Prefixes& prefixes) const override {
        return hasPointers(request)
                       ? mModel->createReusableExecution(request, measure, loop, hints, prefixes)
                       : mInner->createReusableExecution(request, measure, loop, hints, prefixes);
    }

   private:
    std::shared_ptr<const PreparedModel> mModel;
    SharedBurst mInner;
};

GeneralResult<SharedBurst> PreparedModel::configureExecutionBurst() const {
    NNAPI_ASSIGN_OR_RETURN(inner, mInner->configureExecutionBurst());
    if (inner == nullptr) return error() << "the burst is null";
    return SharedBurst(std::make_shared<const Burst>(shared_from_this(), std::move(inner)));
}

class Device final : public IDevice {
   public:
    Device(SharedDevice inner, Duration ceiling) : mInner(std::move(inner)), mCeiling(ceiling) {}

    const std::string& getName() const override { return mInner->getName(); }
    const std::string& getVersionString() const override { return mInner->getVersionString(); }
    Version getFeatureLevel() const override { return mInner->getFeatureLevel(); }
    DeviceType getType() const override { return mInner->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mInner->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mInner->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mInner->getNumberOfCacheFilesNeeded();
    }
    GeneralResult<void> wait() const override { return mInner->wait(); }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        return mInner->getSupportedOperations(model);
    }
    GeneralResult<SharedPreparedModel> prepareModel(const Model& model,
                                                    ExecutionPreference preference,
                                                    Priority priority, OptionalTimePoint deadline,
                                                    const std::vector<SharedHandle>& modelCache,
                                                    const std::vector<SharedHandle>& dataCache,
                                                    const CacheToken& token, const Hints& hints,
                                                    const Prefixes& prefixes) const override {
        return wrapped(mInner->prepareModel(model, preference, priority, deadline, modelCache,
                                            dataCache, token, hints, prefixes));
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        return wrapped(mInner->prepareModelFromCache(deadline, modelCache, dataCache, token));
    }
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        std::vector<SharedPreparedModel> own;
        for (const SharedPreparedModel& each : preparedModels) {
            const auto* model = dynamic_cast<const PreparedModel*>(each.get());
            own.push_back(model == nullptr ? each : model->inner());
        }
        return mInner->allocate(desc, own, inputRoles, outputRoles);
    }

   private:
    GeneralResult<SharedPreparedModel> wrapped(GeneralResult<SharedPreparedModel> prepared) const {
        if (!prepared.has_value() || *prepared == nullptr) return prepared;
        return SharedPreparedModel(
                std::make_shared<const PreparedModel>(*std::move(prepared), mCeiling));
    }

    SharedDevice mInner;
    Duration mCeiling;
};

}  // namespace

SharedDevice takingPointers(SharedDevice device, Duration ceiling) {
    return std::make_shared<const Device>(std::move(device), ceiling);
}

}  // namespace nn::runtime
