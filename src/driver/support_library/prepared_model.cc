#include "driver/support_library/prepared_model.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/argument_checks.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/fence_watch.h"
#include "driver/memory/call_objects.h"
#include "driver/observe/logged_call.h"
#include "driver/support_library/computation.h"
#include "driver/threads/exclusive_use.h"
#include "driver/wrap/execution_report.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::driver {
namespace {

using SharedCompilation = std::shared_ptr<const LibraryCompilation>;
using SharedLibraryBurst = std::shared_ptr<ANeuralNetworksBurst>;

// ---- fenced executions

// One thread for all waiting executions, running only while there are any. It outlives all
// libraries.
FenceWatch& lateFences() {
    static auto* watch = new FenceWatch();
    return *watch;
}

bool isActive(const SyncFence& fence) {
    return fence.hasFd() && fence.syncWait(Duration::zero()) == SyncFence::FenceState::ACTIVE;
}

// Keeps it until the fence has ended. To free an event is to wait for it, which others do.
void keepUntilEnd(std::shared_ptr<const void> kept, const SyncFence& fence) {
    if (!isActive(fence)) return;
    try {
        if (lateFences().add({fence}, {}, [kept](const Status&) {}).ok()) return;
        (void)new std::shared_ptr<const void>(std::move(kept));  // no thread: it is never released
    } catch (...) {
        // there is no memory either: it is waited for
    }
}

using SharedEvent = std::shared_ptr<ANeuralNetworksEvent>;

// The event of a fence, which may be released at any time.
GeneralResult<SharedEvent> eventOf(const Library& library, const SyncFence& fence) {
    const NnApiSLDriverImplFL5& api = library.api();
    NNAPI_ASSIGN_OR_RETURN(
            event, library.made("ANeuralNetworksEvent_createFromSyncFenceFd",
                                api.ANeuralNetworksEvent_free, [&](ANeuralNetworksEvent** made) {
                                    return api.ANeuralNetworksEvent_createFromSyncFenceFd(
                                            fence.getFd(), made);
                                }));
    return SharedEvent(event.get(), [event, fence](ANeuralNetworksEvent*) mutable {
        keepUntilEnd(std::move(event), fence);
    });
}

// A launched execution. Lives until it has ended and no object refers to it.
class Launched {
   public:
    struct Parts {
        std::vector<SharedEvent> dependencies{};
        Computation computation{};
        SharedEvent event{};
        SyncFence fence{};
    };

    explicit Launched(Parts parts) : mParts(std::make_shared<const Parts>(std::move(parts))) {}
    Launched(const Launched&) = delete;
    Launched& operator=(const Launched&) = delete;
    ~Launched() {
        const SyncFence fence = mParts->fence;
        keepUntilEnd(std::move(mParts), fence);
    }

    GeneralResult<FencedTimings> info() const NNAPI_TRY {
        if (isActive(mParts->fence)) return error() << "the execution has not ended yet";
        NNAPI_RETURN_IF_ERROR(wait());
        const Computation& computation = mParts->computation;
        return FencedTimings(computation.timing(false), computation.timing(true));
    }
    NNAPI_CATCH

    // Returns when it has ended, with its code.
    Status wait() const {
        return NNAPI_SL_CALL(mParts->computation.library(), ANeuralNetworksEvent_wait,
                             mParts->event.get());
    }

   private:
    std::shared_ptr<const Parts> mParts;
};

GeneralResult<ExecutedFenced> launch(Computation computation, const std::vector<SyncFence>& waitFor,
                                     const OptionalDuration& timeoutDurationAfterFence) {
    const Library& library = computation.library();
    const NnApiSLDriverImplFL5& api = library.api();
    std::vector<SharedEvent> events;
    std::vector<const ANeuralNetworksEvent*> dependencies;
    for (size_t i = 0; i < waitFor.size(); ++i) {
        if (!waitFor[i].hasFd()) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "executeFenced: waitFor[" << i << "] has no descriptor";
        }
        NNAPI_ASSIGN_OR_RETURN(event, eventOf(library, waitFor[i]));
        dependencies.push_back(event.get());
        events.push_back(std::move(event));
    }
    const uint64_t afterFences =
            timeoutDurationAfterFence ? nanosecondsOf(*timeoutDurationAfterFence) : 0;
    const auto start = [&](ANeuralNetworksEvent** made) {
        return api.ANeuralNetworksExecution_startComputeWithDependencies(
                computation.get(), dependencies.data(), static_cast<uint32_t>(dependencies.size()),
                afterFences, made);
    };
    NNAPI_ASSIGN_OR_RETURN(event,
                           library.made("ANeuralNetworksExecution_startComputeWithDependencies",
                                        api.ANeuralNetworksEvent_free, start));
    int fd = -1;
    const int code = api.ANeuralNetworksEvent_getSyncFenceFd(event.get(), &fd);
    SyncFence fence = SyncFence::createAsSignaled();
    if (code == ANEURALNETWORKS_NO_ERROR && fd >= 0) fence = SyncFence::create(UniqueFd(fd));
    const auto launched = std::make_shared<const Launched>(
            Launched::Parts{std::move(events), std::move(computation), std::move(event), fence});
    // Without a descriptor no other process can wait for the fence.
    if (!fence.hasFd()) NNAPI_RETURN_IF_ERROR(launched->wait());
    return ExecutedFenced{std::move(fence), [launched] { return launched->info(); }};
}

// ---- prepared models

class LibraryPreparedModel final : public CallPreparedModel,
                                   public std::enable_shared_from_this<LibraryPreparedModel> {
   public:
    explicit LibraryPreparedModel(SharedCompilation compilation)
        : mCompilation(std::move(compilation)) {}

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return executeOnce(call.request, call.config(), call.deadline, nullptr);
    }

    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return launchOnce(call.request, call.config(), waitFor, call.deadline,
                          timeoutDurationAfterFence);
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        return createExecution(call.request, call.config(), nullptr);
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override;

    std::any getUnderlyingResource() const override {
        return std::weak_ptr<const LibraryCompilation>(mCompilation);
    }

    const Library& library() const { return *mCompilation->library; }

    // In a burst, or without one.
    ExecutionResult<Executed> executeOnce(const Request& request, const ExecutionConfig& config,
                                          const OptionalTimePoint& deadline,
                                          const SharedLibraryBurst& burst) const {
        NNAPI_ASSIGN_OR_RETURN(computation, compute(request, config, false, true));
        NNAPI_RETURN_IF_ERROR(checkDeadlineBefore("execute", deadline));
        NNAPI_RETURN_IF_ERROR(computation.setDeadline(deadline));
        return run(computation, request.outputs, burst);
    }

    ExecutionResult<Executed> run(const Computation& computation,
                                  const std::vector<Request::Argument>& outputs,
                                  const SharedLibraryBurst& burst) const {
        const NnApiSLDriverImplFL5& api = library().api();
        const std::string_view function = burst == nullptr
                                                  ? "ANeuralNetworksExecution_compute"
                                                  : "ANeuralNetworksExecution_burstCompute";
        return logged(library().log(), VlogTag::EXECUTION, library().name(), function, [&] {
            const int code = burst == nullptr
                                     ? api.ANeuralNetworksExecution_compute(computation.get())
                                     : api.ANeuralNetworksExecution_burstCompute(computation.get(),
                                                                                 burst.get());
            return computation.end(function, code, outputs);
        });
    }

    GeneralResult<ExecutedFenced> launchOnce(
            const Request& request, const ExecutionConfig& config,
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const {
        NNAPI_ASSIGN_OR_RETURN(computation, compute(request, config, false, false));
        NNAPI_RETURN_IF_ERROR(checkDeadlineBefore("executeFenced", deadline));
        NNAPI_RETURN_IF_ERROR(computation.setDeadline(deadline));
        return launch(std::move(computation), waitFor, timeoutDurationAfterFence);
    }

    GeneralResult<SharedExecution> createExecution(const Request& request,
                                                   const ExecutionConfig& config,
                                                   const SharedLibraryBurst& burst) const;

   private:
    GeneralResult<Computation> compute(const Request& request, const ExecutionConfig& config,
                                       bool isReusable, bool allowUnspecifiedOutput) const {
        NNAPI_RETURN_IF_ERROR(checkExecution(config.measureTiming, config.loopTimeoutDuration,
                                             config.executionHints, config.extensionNameToPrefix));
        NNAPI_RETURN_IF_ERROR(validate(request).status());
        const auto known = withDimensionsOfBuffers(request);
        const Request& complete = known ? *known : request;
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(complete, mCompilation->model->model,
                                                      allowUnspecifiedOutput)
                                      .status());
        return Computation::create(mCompilation, complete, config, isReusable);
    }

    // A request may omit the dimensions that a buffer has. Returns the request with them, or none
    // if nothing is missing.
    std::optional<Request> withDimensionsOfBuffers(const Request& request) const {
        std::optional<Request> known;
        for (const auto list : {&Request::inputs, &Request::outputs}) {
            for (size_t i = 0; i < (request.*list).size(); ++i) {
                const Request::Argument& argument = (request.*list)[i];
                if (argument.lifetime != Request::Argument::LifeTime::POOL) continue;
                const auto& pool = request.pools[argument.location.poolIndex];
                if (!argument.dimensions.empty() || std::holds_alternative<SharedMemory>(pool)) {
                    continue;
                }
                const auto buffer = mCompilation->buffers->find(tokenOf(pool));
                if (buffer == nullptr) continue;
                if (!known) known = request;
                ((*known).*list)[i].dimensions = buffer->operand.dimensions;
            }
        }
        return known;
    }

    SharedCompilation mCompilation;
};

// The C API permits setters only before the first start of an execution, so an execution with a
// deadline is created for each computation, as is one for a second concurrent computation.
class LibraryExecution final : public IExecution {
   public:
    LibraryExecution(std::shared_ptr<const LibraryPreparedModel> preparedModel, Request request,
                     ExecutionConfig config, SharedLibraryBurst burst, Computation computation)
        : mPreparedModel(std::move(preparedModel)),
          mRequest(std::move(request)),
          mConfig(std::move(config)),
          mBurst(std::move(burst)),
          mComputation(std::move(computation)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        if (!deadline) {
            const ExclusiveUse::Turn turn = mTurns.tryTake();
            if (turn.isTaken()) return mPreparedModel->run(mComputation, mRequest.outputs, mBurst);
        }
        return mPreparedModel->executeOnce(mRequest, mConfig, deadline, mBurst);
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        if (mBurst != nullptr) return error() << "an execution of a burst has no fences";
        return mPreparedModel->launchOnce(mRequest, mConfig, waitFor, deadline,
                                          timeoutDurationAfterFence);
    }
    NNAPI_CATCH

   private:
    std::shared_ptr<const LibraryPreparedModel> mPreparedModel;
    Request mRequest;
    ExecutionConfig mConfig;
    SharedLibraryBurst mBurst;
    Computation mComputation;
    mutable ExclusiveUse mTurns{};
};

class LibraryBurst final : public CallBurst {
   public:
    LibraryBurst(std::shared_ptr<const LibraryPreparedModel> preparedModel,
                 SharedLibraryBurst burst)
        : mPreparedModel(std::move(preparedModel)), mBurst(std::move(burst)) {}

    // The library caches memories itself.
    OptionalCacheHold cacheMemory(const SharedMemory&) const override { return nullptr; }

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return mPreparedModel->executeOnce(call.request, call.config(), call.deadline, mBurst);
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        return mPreparedModel->createExecution(call.request, call.config(), mBurst);
    }

   private:
    std::shared_ptr<const LibraryPreparedModel> mPreparedModel;
    SharedLibraryBurst mBurst;
};

GeneralResult<SharedBurst> LibraryPreparedModel::configureExecutionBurst() const NNAPI_TRY {
    const NnApiSLDriverImplFL5& api = library().api();
    NNAPI_ASSIGN_OR_RETURN(
            burst, library().made("ANeuralNetworksBurst_create", api.ANeuralNetworksBurst_free,
                                  [&](ANeuralNetworksBurst** made) {
                                      return api.ANeuralNetworksBurst_create(
                                              mCompilation->compilation.get(), made);
                                  }));
    return SharedBurst(std::make_shared<const LibraryBurst>(shared_from_this(), std::move(burst)));
}
NNAPI_CATCH

GeneralResult<SharedExecution> LibraryPreparedModel::createExecution(
        const Request& request, const ExecutionConfig& config,
        const SharedLibraryBurst& burst) const {
    NNAPI_ASSIGN_OR_RETURN(computation, compute(request, config, true, true));
    return SharedExecution(std::make_shared<const LibraryExecution>(
            shared_from_this(), request, config, burst, std::move(computation)));
}

}  // namespace

uint64_t nanosecondsUntil(TimePoint deadline) {
    const TimePoint now = Clock::now();
    return deadline <= now ? 1 : nanosecondsOf(deadline - now);
}

GeneralResult<std::shared_ptr<const LibraryBuffer>> LibraryBuffers::add(
        std::shared_ptr<ANeuralNetworksMemory> memory, Operand operand) {
    const std::lock_guard lock(mMutex);
    if (mLast == std::numeric_limits<uint32_t>::max()) {
        return error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
               << "there are no more tokens for buffers";
    }
    std::erase_if(mBuffers, [](const auto& each) { return each.second.expired(); });
    const uint32_t token = ++mLast;
    auto buffer = std::make_shared<const LibraryBuffer>(LibraryBuffer{
            Request::MemoryDomainToken{token}, std::move(memory), std::move(operand)});
    mBuffers.emplace(token, buffer);
    return buffer;
}

std::shared_ptr<const LibraryBuffer> LibraryBuffers::find(Request::MemoryDomainToken token) const {
    const std::lock_guard lock(mMutex);
    const auto at = mBuffers.find(static_cast<uint32_t>(token));
    return at == mBuffers.end() ? nullptr : at->second.lock();
}

SharedPreparedModel preparedModelOf(std::shared_ptr<const LibraryCompilation> compilation) {
    return std::make_shared<const LibraryPreparedModel>(std::move(compilation));
}

}  // namespace nn::driver
