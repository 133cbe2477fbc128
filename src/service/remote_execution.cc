// Prepared models, executions, bursts and buffers of a server.
#include <utility>

#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "service/remote.h"
#include "types/no_throw.h"

namespace nn::service {
namespace {

unsigned count(size_t size) { return static_cast<unsigned>(size); }

bool hasPointers(const std::vector<Request::Argument>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const Request::Argument& argument) {
        return argument.lifetime == Request::Argument::LifeTime::POINTER;
    });
}

// Fences as they travel. The handles stay open until the server has them.
Status checkFences(const std::vector<SyncFence>& waitFor) {
    if (waitFor.size() <= kMostDescriptors) return {};
    return error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
           << "there are " << waitFor.size() << " fences to wait for, allowed at most "
           << kMostDescriptors;
}

void writeFences(const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
                 const OptionalDuration& afterFences, rpc::Fences::Builder to) {
    auto descriptors = to.initWaitFor(count(waitFor.size()));
    for (unsigned i = 0; i < descriptors.size(); ++i) {
        const SharedHandle& handle = waitFor[i].getSharedHandle();
        if (handle == nullptr) continue;  // signalled, or no fence: the server sees null
        descriptors.set(i, kj::heap<DescriptorServer>(handle->get()));
    }
    writeDeadline(deadline, to.initDeadline());
    write(afterFences, to.initAfterFences());
}

// What a server answers to a launch.
struct Launched {
    Held fenced;
    bool isSignalled = false;
};

template <class Answer>
GeneralResult<Launched> launchedOf(Connection::State& state,
                                   const std::shared_ptr<const Connection>& connection,
                                   Answer&& answer) {
    NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
    if (!answer.hasFenced()) return error() << "the server answers success without an execution";
    return Launched{Held(connection, state.hold(answer.getFenced())), answer.getIsSignalled()};
}

GeneralResult<std::pair<Timing, Timing>> infoOf(const Held& fenced,
                                                MeasureTiming measure) NNAPI_TRY {
    using Infos = std::pair<Timing, Timing>;
    auto infos = fenced.connection().call<GeneralResult<Infos>>(
            "getExecutionInfo", {}, [fenced](Connection::State& state) {
                return state.held<rpc::Fenced>(fenced.id())
                        .infoRequest()
                        .send()
                        .then([](auto&& answer) -> GeneralResult<Infos> {
                            NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                            return Infos(timingOf(answer.getLaunched()),
                                         timingOf(answer.getFenced()));
                        });
            });
    if (infos.has_value() && measure != MeasureTiming::YES) return Infos();
    return infos;
}
NNAPI_CATCH

// The fence of a launch, and what tells how it went.
GeneralResult<ExecutedFenced> fencedOf(const GeneralResult<Launched>& launched,
                                       const SharedExecute& execute) {
    if (!launched.has_value()) return launched.status();
    SyncFence fence = SyncFence::createAsSignaled();
    if (!launched->isSignalled) {
        // What was moved for the caller's pointers goes back before the fence is signalled.
        NNAPI_ASSIGN_OR_RETURN(
                made, launched->fenced.connection().fenceOf(
                              launched->fenced, [execute] { execute->relocation.output.flush(); }));
        fence = std::move(made);
    } else {
        execute->relocation.output.flush();
    }
    return ExecutedFenced{std::move(fence), [fenced = launched->fenced, execute] {
                              return infoOf(fenced, execute->measure);
                          }};
}

// Asks any object that executes, by what makes the request of the engine.
template <class Ask>
ExecutionResult<Executed> executeBy(std::string_view call, const Held& held,
                                    const SharedExecute& execute,
                                    const SharedOutputSignatures& signatures,
                                    const OptionalTimePoint& deadline, Ask ask) {
    execute->relocation.input.flush();
    auto executed = checked(held.connection().call<ExecutionResult<Executed>>(
                                    call, deadline,
                                    [held, execute, ask](Connection::State& state) {
                                        return ask(state).send().then([](auto&& answer) {
                                            return executedOf(answer.getExecuted());
                                        });
                                    }),
                            execute->request.outputs, execute->measure, signatures);
    if (executed.has_value()) execute->relocation.output.flush();
    return executed;
}

template <class Ask>
GeneralResult<ExecutedFenced> launchBy(std::string_view call, const Held& held,
                                       const SharedExecute& execute,
                                       const std::vector<SyncFence>& waitFor,
                                       const OptionalTimePoint& deadline, Ask ask) {
    NNAPI_RETURN_IF_ERROR(checkFences(waitFor));
    execute->relocation.input.flush();
    return fencedOf(held.connection().call<GeneralResult<Launched>>(
                            call, deadline,
                            [held, execute, ask](Connection::State& state) {
                                return ask(state).send().then([&state, held](auto&& answer) {
                                    return launchedOf(state, held.shared(), answer);
                                });
                            }),
                    execute);
}

class RemoteExecution final : public IExecution {
   public:
    RemoteExecution(Held held, SharedExecute execute, SharedOutputSignatures signatures)
        : mHeld(std::move(held)),
          mExecute(std::move(execute)),
          mSignatures(std::move(signatures)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        return executeBy("compute", mHeld, mExecute, mSignatures, deadline,
                         [held = mHeld, deadline](Connection::State& state) {
                             auto request = state.held<rpc::Execution>(held.id()).computeRequest();
                             writeDeadline(deadline, request.initDeadline());
                             return request;
                         });
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        return launchBy(
                "computeFenced", mHeld, mExecute, waitFor, deadline,
                [held = mHeld, waitFor, deadline,
                 timeoutDurationAfterFence](Connection::State& state) {
                    auto request = state.held<rpc::Execution>(held.id()).computeFencedRequest();
                    writeFences(waitFor, deadline, timeoutDurationAfterFence, request.initFences());
                    return request;
                });
    }
    NNAPI_CATCH

   private:
    Held mHeld;
    SharedExecute mExecute;
    SharedOutputSignatures mSignatures;
};

// A reusable execution of a prepared model or of a burst. Null where arguments lie behind pointers:
// they have places of their own in each execution, so that several may run at one time, and one
// that was given up does not spoil the next. The server has checked the request then.
template <class I>
GeneralResult<SharedExecution> createExecution(const Held& held, const SharedExecute& execute,
                                               const SharedOutputSignatures& signatures) {
    auto made = held.connection().call<GeneralResult<SharedExecution>>(
            "createReusableExecution", {}, [held, execute, signatures](Connection::State& state) {
                auto request = state.held<I>(held.id()).createReusableExecutionRequest();
                execute->write(state, {}, request.initExecute());
                return request.send().then(
                        [&state, held, execute,
                         signatures](auto&& answer) -> GeneralResult<SharedExecution> {
                            NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                            if (!answer.hasExecution()) {
                                return error() << "the server answers success without an execution";
                            }
                            return SharedExecution(std::make_shared<const RemoteExecution>(
                                    Held(held.shared(), state.hold(answer.getExecution())), execute,
                                    signatures));
                        });
            });
    if (made.has_value() && (execute->movesInputs || execute->movesOutputs)) {
        return SharedExecution();
    }
    return made;
}

class RemotePreparedModel;

class RemoteBurst final : public IBurst, public std::enable_shared_from_this<RemoteBurst> {
   public:
    RemoteBurst(Held held, SharedPreparedModel preparedModel, SharedOutputSignatures signatures)
        : mHeld(std::move(held)),
          mPreparedModel(std::move(preparedModel)),
          mSignatures(std::move(signatures)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        if (memory == nullptr) return nullptr;
        try {
            // The server's hold; nobody waits for it.
            auto id = std::make_shared<std::optional<uint64_t>>();
            mHeld.connection().post([held = mHeld, memory, id](Connection::State& state) {
                auto request = state.held<rpc::Burst>(held.id()).cacheMemoryRequest();
                request.setMemory(state.share(memory));
                *id = state.hold(request.send().getHold());
            });
            return std::make_shared<const CacheHold>([held = mHeld, id] {
                held.connection().post([id](Connection::State& state) {
                    if (*id) state.release(**id);
                });
            });
        } catch (...) {
            return nullptr;
        }
    }

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeoutDuration,
                                      const std::vector<TokenValuePair>& hints,
                                      const std::vector<ExtensionNameAndPrefix>&
                                              extensionNameToPrefix) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                execute, makeExecute(mHeld.connection(), request, measure, loopTimeoutDuration,
                                     hints, extensionNameToPrefix));
        return executeBy("IBurst::execute", mHeld, execute, mSignatures, deadline,
                         [held = mHeld, execute, deadline](Connection::State& state) {
                             auto call = state.held<rpc::Burst>(held.id()).executeRequest();
                             execute->write(state, deadline, call.initExecute());
                             return call;
                         });
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                execute, makeExecute(mHeld.connection(), request, measure, loopTimeoutDuration,
                                     hints, extensionNameToPrefix));
        NNAPI_ASSIGN_OR_RETURN(made, createExecution<rpc::Burst>(mHeld, execute, mSignatures));
        if (made != nullptr) return made;
        return std::make_shared<const DefaultBurst>(mPreparedModel)
                ->createReusableExecution(request, measure, loopTimeoutDuration, hints,
                                          extensionNameToPrefix);
    }
    NNAPI_CATCH

   private:
    Held mHeld;
    SharedPreparedModel mPreparedModel;
    SharedOutputSignatures mSignatures;
};

class RemotePreparedModel final : public IPreparedModel,
                                  public std::enable_shared_from_this<RemotePreparedModel> {
   public:
    RemotePreparedModel(Held held, SharedOutputSignatures signatures)
        : mHeld(std::move(held)), mSignatures(std::move(signatures)) {}
    const Held& held() const { return mHeld; }

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeoutDuration,
                                      const std::vector<TokenValuePair>& hints,
                                      const std::vector<ExtensionNameAndPrefix>&
                                              extensionNameToPrefix) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                execute, makeExecute(mHeld.connection(), request, measure, loopTimeoutDuration,
                                     hints, extensionNameToPrefix));
        return executeBy("execute", mHeld, execute, mSignatures, deadline,
                         [held = mHeld, execute, deadline](Connection::State& state) {
                             auto call = state.held<rpc::PreparedModel>(held.id()).executeRequest();
                             execute->write(state, deadline, call.initExecute());
                             return call;
                         });
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                execute, makeExecute(mHeld.connection(), request, measure, loopTimeoutDuration,
                                     hints, extensionNameToPrefix));
        return launchBy(
                "executeFenced", mHeld, execute, waitFor, deadline,
                [held = mHeld, execute, waitFor, deadline,
                 timeoutDurationAfterFence](Connection::State& state) {
                    auto call = state.held<rpc::PreparedModel>(held.id()).executeFencedRequest();
                    execute->write(state, deadline, call.initExecute());
                    writeFences(waitFor, deadline, timeoutDurationAfterFence, call.initFences());
                    return call;
                });
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                execute, makeExecute(mHeld.connection(), request, measure, loopTimeoutDuration,
                                     hints, extensionNameToPrefix));
        NNAPI_ASSIGN_OR_RETURN(made,
                               createExecution<rpc::PreparedModel>(mHeld, execute, mSignatures));
        if (made != nullptr) return made;
        return SharedExecution(std::make_shared<const DefaultExecution>(
                shared_from_this(), request, measure, loopTimeoutDuration, hints,
                extensionNameToPrefix));
    }
    NNAPI_CATCH

    GeneralResult<SharedBurst> configureExecutionBurst() const override NNAPI_TRY {
        return mHeld.connection().call<GeneralResult<SharedBurst>>(
                "configureExecutionBurst", {},
                [self = shared_from_this()](Connection::State& state) {
                    return state.held<rpc::PreparedModel>(self->mHeld.id())
                            .configureExecutionBurstRequest()
                            .send()
                            .then([&state, self](auto&& answer) -> GeneralResult<SharedBurst> {
                                NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                                if (!answer.hasBurst()) {
                                    return error() << "the server answers success without a burst";
                                }
                                return SharedBurst(std::make_shared<const RemoteBurst>(
                                        Held(self->mHeld.shared(), state.hold(answer.getBurst())),
                                        self, self->mSignatures));
                            });
                });
    }
    NNAPI_CATCH

    std::any getUnderlyingResource() const override { return {}; }

   private:
    Held mHeld;
    SharedOutputSignatures mSignatures;
};

// Copies between a buffer and a memory.
template <class Make>
GeneralResult<void> copyBy(std::string_view call, const Held& held, const SharedMemory& memory,
                           Make make) {
    if (memory == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << call << ": the memory is null";
    }
    return held.connection().call<GeneralResult<void>>(
            call, {}, [held, memory, make](Connection::State& state) {
                auto request = make(state);
                request.setMemory(state.share(memory));
                return request.send().then([](auto&& answer) {
                    return GeneralResult<void>(statusOf(answer.getFailure()));
                });
            });
}

}  // namespace

void Execute::write(Connection::State& state, const OptionalTimePoint& deadline,
                    rpc::Execute::Builder to) const {
    auto out = to.initRequest();
    service::write(request.inputs, out.initInputs(count(request.inputs.size())));
    service::write(request.outputs, out.initOutputs(count(request.outputs.size())));
    auto pools = out.initPools(count(request.pools.size()));
    for (unsigned i = 0; i < pools.size(); ++i) {
        if (buffers[i] != nullptr) {
            pools[i].setBuffer(state.held<rpc::Buffer>(buffers[i]->held().id()));
        } else if (const auto* memory = std::get_if<SharedMemory>(&request.pools[i])) {
            if (*memory != nullptr) pools[i].setMemory(state.share(*memory));
        } else if (const auto* token = std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
            pools[i].setToken(static_cast<uint32_t>(*token));
        }
    }
    to.setMeasure(static_cast<int32_t>(measure));
    if (deadline) writeDeadline(deadline, to.initDeadline());
    if (loopTimeout) service::write(loopTimeout, to.initLoopTimeout());
    if (!hints.empty()) service::write(hints, to.initHints(count(hints.size())));
    if (!prefixes.empty()) service::write(prefixes, to.initPrefixes(count(prefixes.size())));
}

Result<SharedExecute> makeExecute(const Connection& connection, const Request& request,
                                  MeasureTiming measure, const OptionalDuration& loopTimeout,
                                  const std::vector<TokenValuePair>& hints,
                                  const std::vector<ExtensionNameAndPrefix>& prefixes) {
    auto execute = std::make_shared<Execute>();
    execute->movesInputs = hasPointers(request.inputs);
    execute->movesOutputs = hasPointers(request.outputs);
    if (execute->movesInputs || execute->movesOutputs) {
        NNAPI_ASSIGN_OR_RETURN(moved, convertRequestFromPointerToShared(request));
        execute->request = std::move(moved.request);
        execute->relocation = std::move(moved.relocation);
    } else {
        execute->request = request;
    }
    for (const Request::MemoryPool& pool : execute->request.pools) {
        auto& ours = execute->buffers.emplace_back();
        const auto* buffer = std::get_if<SharedBuffer>(&pool);
        if (buffer == nullptr) continue;
        ours = std::dynamic_pointer_cast<const RemoteBuffer>(*buffer);
        if (ours == nullptr || &ours->held().connection() != &connection) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "pools[" << execute->buffers.size() - 1
                          << "] is a buffer of another device");
        }
    }
    execute->measure = measure;
    execute->loopTimeout = loopTimeout;
    execute->hints = hints;
    execute->prefixes = prefixes;
    return SharedExecute(std::move(execute));
}

ExecutionResult<Executed> checked(ExecutionResult<Executed> executed,
                                  const std::vector<Request::Argument>& outputs,
                                  MeasureTiming measure, const SharedOutputSignatures& signatures) {
    const driver::ExpectedOutputs expected{.arguments = outputs, .model = signatures.get()};
    if (!executed.has_value()) {
        const ExecutionError failure = executed.error();
        NNAPI_RETURN_IF_ERROR(
                driver::checkOutputShapes(failure.code, failure.outputShapes, expected));
        return executed;
    }
    auto& [shapes, timing] = *executed;
    NNAPI_RETURN_IF_ERROR(driver::checkOutputShapes(ErrorStatus::NONE, shapes, expected));
    if (measure != MeasureTiming::YES) timing = {};
    if (timing.timeOnDevice && timing.timeInDriver && *timing.timeInDriver < *timing.timeOnDevice) {
        return error() << "the server's execution took longer on the device than in the driver";
    }
    return executed;
}

GeneralResult<void> RemoteBuffer::copyTo(const SharedMemory& dst) const NNAPI_TRY {
    return copyBy("copyTo", mHeld, dst, [held = mHeld](Connection::State& state) {
        return state.held<rpc::Buffer>(held.id()).copyToRequest();
    });
}
NNAPI_CATCH

GeneralResult<void> RemoteBuffer::copyFrom(const SharedMemory& src,
                                           const Dimensions& dimensions) const NNAPI_TRY {
    return copyBy("copyFrom", mHeld, src, [held = mHeld, dimensions](Connection::State& state) {
        auto request = state.held<rpc::Buffer>(held.id()).copyFromRequest();
        writeNumbers(request.initDimensions(count(dimensions.size())), dimensions);
        return request;
    });
}
NNAPI_CATCH

SharedPreparedModel remotePreparedModel(Held held, SharedOutputSignatures signatures) {
    return std::make_shared<const RemotePreparedModel>(std::move(held), std::move(signatures));
}

std::optional<Held> heldOf(const SharedPreparedModel& preparedModel, const Connection& connection) {
    const auto* ours = dynamic_cast<const RemotePreparedModel*>(preparedModel.get());
    if (ours == nullptr || &ours->held().connection() != &connection) return {};
    return ours->held();
}

}  // namespace nn::service
