#include "driver/support_library/prepared_model.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "driver/adapt/argument_checks.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/fence_watch.h"
#include "driver/observe/logged_call.h"
#include "driver/threads/exclusive_use.h"
#include "driver/wrap/execution_report.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "types/no_throw.h"

namespace nn::driver {
namespace {

using SharedCompilation = std::shared_ptr<const LibraryCompilation>;
using SharedLibraryBurst = std::shared_ptr<ANeuralNetworksBurst>;

// More dimensions than any tensor has.
constexpr uint32_t kMostDimensions = 64;

uint64_t nanosecondsOf(Duration duration) {
    return static_cast<uint64_t>(std::max<Duration::rep>(duration.count(), 1));
}

// Of memory of a device.
Request::MemoryDomainToken tokenOf(const Request::MemoryPool& pool) {
    const auto* buffer = std::get_if<SharedBuffer>(&pool);
    return buffer != nullptr ? (*buffer)->getToken() : std::get<Request::MemoryDomainToken>(pool);
}

// An execution of the library with its arguments, and what it refers to.
class Computation {
   public:
    static GeneralResult<Computation> create(const SharedCompilation& compilation,
                                             const Request& request, const ExecutionConfig& config,
                                             bool isReusable) {
        const NnApiSLDriverImplFL5& api = compilation->library->api();
        NNAPI_ASSIGN_OR_RETURN(
                made, compilation->library->made(
                              "ANeuralNetworksExecution_create", api.ANeuralNetworksExecution_free,
                              [&](ANeuralNetworksExecution** execution) {
                                  return api.ANeuralNetworksExecution_create(
                                          compilation->compilation.get(), execution);
                              }));
        Computation computation;
        computation.mCompilation = compilation;
        computation.mMeasure = config.measureTiming;
        computation.mExecution = std::move(made);
        NNAPI_RETURN_IF_ERROR(computation.configure(config, isReusable));
        NNAPI_RETURN_IF_ERROR(computation.setArguments(request));
        return computation;
    }

    ANeuralNetworksExecution* get() const { return mExecution.get(); }
    const Library& library() const { return *mCompilation->library; }
    const NnApiSLDriverImplFL5& api() const { return library().api(); }
    MeasureTiming measure() const { return mMeasure; }

    // Only before the first start.
    Status setDeadline(const OptionalTimePoint& deadline) const {
        if (!deadline) return {};
        return NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setTimeout, get(),
                             nanosecondsUntil(*deadline));
    }

    // How it has ended, with a code.
    ExecutionResult<Executed> end(std::string_view function, int code,
                                  const std::vector<Request::Argument>& outputs) const {
        hal::utils::ExecutionReport report{.code = errorStatusOf(code)};
        if (report.code == ErrorStatus::NONE ||
            report.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
            report.outputShapes.emplace(shapes(outputs.size()));
        }
        if (report.code == ErrorStatus::NONE) report.timing = timing(false);
        auto executed =
                judge(std::move(report), {outputs, &mCompilation->outputs}, mMeasure, function);
        if (executed.has_value()) return executed;
        const auto failure = executed.error();
        // With its own code it says more.
        if (code == ANEURALNETWORKS_NO_ERROR || failure.code != errorStatusOf(code)) {
            return executed;
        }
        return {library().answered(function, code), failure.outputShapes};
    }

    // Where it was measured; of a fenced execution from its fences on.
    Timing timing(bool isFenced) const {
        if (mMeasure != MeasureTiming::YES) return {};
        return {.timeOnDevice = duration(isFenced ? ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE
                                                  : ANEURALNETWORKS_DURATION_ON_HARDWARE),
                .timeInDriver = duration(isFenced ? ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER
                                                  : ANEURALNETWORKS_DURATION_IN_DRIVER)};
    }

   private:
    Status configure(const ExecutionConfig& config, bool isReusable) const {
        if (isReusable) {
            NNAPI_RETURN_IF_ERROR(
                    NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setReusable, get(), true));
        }
        if (mMeasure == MeasureTiming::YES) {
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                    library(), ANeuralNetworksExecution_setMeasureTiming, get(), true));
        }
        if (config.loopTimeoutDuration) {
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setLoopTimeout,
                                                get(), nanosecondsOf(*config.loopTimeoutDuration)));
        }
        return addHints(library(), config.executionHints, config.extensionNameToPrefix,
                        "ANeuralNetworksExecution_addExtensionAttribute",
                        [&](const NnApiSLDriverImplFL8& table, const ExtensionCode& code,
                            const std::vector<uint8_t>& value) {
                            return table.ANeuralNetworksExecution_addExtensionAttribute(
                                    get(), code.name, code.code, value.data(), value.size());
                        });
    }

    const Operand& operandOf(size_t index, bool isInput) const {
        const Model::Subgraph& main = mCompilation->model->model.main;
        return main.operands[(isInput ? main.inputIndexes : main.outputIndexes)[index]];
    }

    // As many bytes as the library may touch. Those behind an output of unknown size do not count:
    // to the library they would be room for values.
    size_t lengthOf(const Request::Argument& argument, const Operand& operand) const {
        const DataLocation& location = argument.location;
        const Dimensions& dimensions =
                argument.dimensions.empty() ? operand.dimensions : argument.dimensions;
        if (hasUnspecifiedDimensions(operand.type, dimensions)) return location.length;
        return size_t{location.length} + location.padding;
    }

    Status setArguments(const Request& request) {
        const auto hasPadding = [](const Request::Argument& argument) {
            return argument.location.padding != 0;
        };
        if (absl::c_any_of(request.inputs, hasPadding) ||
            absl::c_any_of(request.outputs, hasPadding)) {
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                    library(), ANeuralNetworksExecution_enableInputAndOutputPadding, get(), true));
        }
        std::vector<ANeuralNetworksMemory*> memories;
        for (size_t i = 0; i < request.pools.size(); ++i) {
            NNAPI_ASSIGN_OR_RETURN(memory, memoryOf(request.pools[i], i));
            memories.push_back(memory.get());
            mMemories.push_back(std::move(memory));
        }
        for (size_t i = 0; i < request.inputs.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(setArgument(request.inputs[i], i, true, memories));
        }
        for (size_t i = 0; i < request.outputs.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(setArgument(request.outputs[i], i, false, memories));
        }
        return {};
    }

    GeneralResult<std::shared_ptr<ANeuralNetworksMemory>> memoryOf(const Request::MemoryPool& pool,
                                                                   size_t index) const {
        if (const auto* memory = std::get_if<SharedMemory>(&pool)) {
            return library().memoryOf(*memory);
        }
        const auto token = tokenOf(pool);
        const auto found = mCompilation->buffers->find(token);
        if (found == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "pools[" << index << "]: the device has no buffer with token "
                   << static_cast<uint32_t>(token);
        }
        return found->memory;
    }

    Status setArgument(const Request::Argument& argument, size_t index, bool isInput,
                       const std::vector<ANeuralNetworksMemory*>& memories) const {
        const Operand& operand = operandOf(index, isInput);
        const Dimensions& dimensions = argument.dimensions;
        const auto& extensionTypes = mCompilation->model->extensionTypes;
        const auto numbered = extensionTypes.find(operand.type);
        const ANeuralNetworksOperandType type{
                .type = numbered == extensionTypes.end() ? static_cast<int32_t>(operand.type)
                                                         : numbered->second,
                .dimensionCount = static_cast<uint32_t>(dimensions.size()),
                .dimensions = dimensions.data(),
                .scale = operand.scale,
                .zeroPoint = operand.zeroPoint};
        const auto* given = dimensions.empty() ? nullptr : &type;
        const auto number = static_cast<int32_t>(index);
        const DataLocation& location = argument.location;
        switch (argument.lifetime) {
            case Request::Argument::LifeTime::NO_VALUE:
                return isInput ? NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setInput, get(),
                                               number, nullptr, nullptr, 0)
                               : NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setOutput, get(),
                                               number, nullptr, nullptr, 0);
            case Request::Argument::LifeTime::POINTER: {
                const size_t length = lengthOf(argument, operand);
                if (isInput) {
                    const void* data =
                            std::visit([](const void* each) { return each; }, location.pointer);
                    return NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setInput, get(),
                                         number, given, data, length);
                }
                return NNAPI_SL_CALL(library(), ANeuralNetworksExecution_setOutput, get(), number,
                                     given, std::get<void*>(location.pointer), length);
            }
            case Request::Argument::LifeTime::POOL: {
                const size_t length = lengthOf(argument, operand);
                auto* memory = memories[location.poolIndex];
                return isInput ? NNAPI_SL_CALL(library(),
                                               ANeuralNetworksExecution_setInputFromMemory, get(),
                                               number, given, memory, location.offset, length)
                               : NNAPI_SL_CALL(library(),
                                               ANeuralNetworksExecution_setOutputFromMemory, get(),
                                               number, given, memory, location.offset, length);
            }
        }
        return {};
    }

    Result<std::vector<OutputShape>> shapes(size_t count) const {
        std::vector<OutputShape> shapes(count);
        for (size_t i = 0; i < count; ++i) {
            const auto number = static_cast<int32_t>(i);
            uint32_t rank = 0;
            int code = api().ANeuralNetworksExecution_getOutputOperandRank(get(), number, &rank);
            shapes[i].isSufficient = code == ANEURALNETWORKS_NO_ERROR;
            if (code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE) {
                NNAPI_RETURN_IF_ERROR(
                        library().answered("ANeuralNetworksExecution_getOutputOperandRank", code));
            }
            if (rank > kMostDimensions) {
                return Status(error() << "output " << i << " has " << rank
                                      << " dimensions, allowed " << kMostDimensions);
            }
            if (rank == 0) continue;
            shapes[i].dimensions.resize(rank);
            code = api().ANeuralNetworksExecution_getOutputOperandDimensions(
                    get(), number, shapes[i].dimensions.data());
            if (code == ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE && !shapes[i].isSufficient) {
                continue;
            }
            NNAPI_RETURN_IF_ERROR(library().answered(
                    "ANeuralNetworksExecution_getOutputOperandDimensions", code));
        }
        return shapes;
    }

    OptionalDuration duration(int32_t which) const {
        uint64_t time = std::numeric_limits<uint64_t>::max();
        const int code = api().ANeuralNetworksExecution_getDuration(get(), which, &time);
        return code == ANEURALNETWORKS_NO_ERROR ? timeOf(time) : std::nullopt;
    }

    SharedCompilation mCompilation{};
    std::vector<std::shared_ptr<ANeuralNetworksMemory>> mMemories{};
    MeasureTiming mMeasure = MeasureTiming::NO;
    std::shared_ptr<ANeuralNetworksExecution> mExecution{};
};

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
        (void)new std::shared_ptr<const void>(std::move(kept));  // no thread: it stays for good
    } catch (...) {
        // there is no memory either: it is waited for
    }
}

using SharedEvent = std::shared_ptr<ANeuralNetworksEvent>;

// The event of a fence, which may be let go at any time.
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

// From its launch until nobody asks for it any more, and it has ended.
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

    GeneralResult<std::pair<Timing, Timing>> info() const NNAPI_TRY {
        if (isActive(mParts->fence)) return error() << "the execution has not ended yet";
        NNAPI_RETURN_IF_ERROR(wait());
        const Computation& computation = mParts->computation;
        return std::pair<Timing, Timing>(computation.timing(false), computation.timing(true));
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
    // Without a descriptor nobody else can wait for it.
    if (!fence.hasFd()) NNAPI_RETURN_IF_ERROR(launched->wait());
    return ExecutedFenced{std::move(fence), [launched] { return launched->info(); }};
}

// ---- prepared models

class LibraryPreparedModel final : public IPreparedModel,
                                   public std::enable_shared_from_this<LibraryPreparedModel> {
   public:
    explicit LibraryPreparedModel(SharedCompilation compilation)
        : mCompilation(std::move(compilation)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeoutDuration,
                                      const std::vector<TokenValuePair>& hints,
                                      const std::vector<ExtensionNameAndPrefix>&
                                              extensionNameToPrefix) const override NNAPI_TRY {
        return executeOnce(request, {measure, loopTimeoutDuration, hints, extensionNameToPrefix},
                           deadline, nullptr);
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        return launchOnce(request, {measure, loopTimeoutDuration, hints, extensionNameToPrefix},
                          waitFor, deadline, timeoutDurationAfterFence);
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        return createExecution(
                request, {measure, loopTimeoutDuration, hints, extensionNameToPrefix}, nullptr);
    }
    NNAPI_CATCH

    GeneralResult<SharedBurst> configureExecutionBurst() const override;

    std::any getUnderlyingResource() const override {
        return std::weak_ptr<const LibraryCompilation>(mCompilation);
    }

    const LibraryCompilation& compilation() const { return *mCompilation; }
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

    // A request need not repeat what a buffer has. Empty where it says all.
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

// Setters of an execution end with its first start, so one that has a deadline is made anew. So is
// a second one at a time.
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

class LibraryBurst final : public IBurst {
   public:
    LibraryBurst(std::shared_ptr<const LibraryPreparedModel> preparedModel,
                 SharedLibraryBurst burst)
        : mPreparedModel(std::move(preparedModel)), mBurst(std::move(burst)) {}

    // What the library keeps of memories it keeps itself.
    OptionalCacheHold cacheMemory(const SharedMemory&) const override { return nullptr; }

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeoutDuration,
                                      const std::vector<TokenValuePair>& hints,
                                      const std::vector<ExtensionNameAndPrefix>&
                                              extensionNameToPrefix) const override NNAPI_TRY {
        return mPreparedModel->executeOnce(
                request, {measure, loopTimeoutDuration, hints, extensionNameToPrefix}, deadline,
                mBurst);
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        return mPreparedModel->createExecution(
                request, {measure, loopTimeoutDuration, hints, extensionNameToPrefix}, mBurst);
    }
    NNAPI_CATCH

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
