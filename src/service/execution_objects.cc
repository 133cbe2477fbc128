// The server's prepared models, executions, bursts and buffers.
#include <kj/async-unix.h>

#include <algorithm>
#include <utility>

#include "service/burst_queue_server.h"
#include "service/call_handling.h"
#include "service/execution_request.h"
#include "service/fences.h"

namespace nn::service {
namespace {

Promised<ExecutionRequest> read(Session& session, const IDevice& device,
                                rpc::Execute::Reader from) {
    auto arguments = std::make_shared<Request>(readRequest(from));
    auto request = std::make_shared<ExecutionRequest>();
    request->call = readCall(from);
    request->call.deadline = session.bounds().deadline(request->call.deadline, device);
    return session.pools(&device, from.getRequest().getPools())
            .then([request, arguments](GeneralResult<std::vector<NamedPool>>&& pools)
                          -> GeneralResult<ExecutionRequest> {
                if (!pools.has_value()) return pools.status();
                for (NamedPool& pool : *pools) {
                    arguments->pools.push_back(std::move(pool.pool));
                    if (pool.named != nullptr) request->named.push_back(std::move(pool.named));
                }
                request->call.request = arguments;
                return std::move(*request);
            });
}

struct Fences {
    std::vector<SyncFence> waitFor{};
    OptionalTimePoint deadline{};
    OptionalDuration afterFences{};
};

Promised<Fences> read(Session& session, const IDevice& device, rpc::Fences::Reader from) {
    const Fences rest{.waitFor = {},
                      .deadline = session.bounds().deadline(deadlineOf(from.getDeadline()), device),
                      .afterFences = durationOf(from.getAfterFences())};
    return session.fences(from.getWaitFor())
            .then([rest](GeneralResult<std::vector<SyncFence>>&& fences) -> GeneralResult<Fences> {
                if (!fences.has_value()) return fences.status();
                Fences all = rest;
                all.waitFor = *std::move(fences);
                return all;
            });
}

class FencedServer final : public rpc::Fenced::Server {
   public:
    FencedServer(SharedSession session, ExecutedFenced fenced, Tokens tokens)
        : mSession(std::move(session)),
          mInfo(std::move(fenced.second)),
          mEnded(signaled(*mSession->serverState().port, fenced.first)
                         .then([](GeneralResult<void>&& ended) { return ended.status(); })
                         .fork()),
          mTokens(std::move(tokens)) {}

   protected:
    kj::Promise<void> wait(WaitContext context) override {
        return mEnded.addBranch().then([context](Status&& ended) mutable {
            write(ended, context.getResults().initFailure());
        });
    }
    kj::Promise<void> info(InfoContext context) override {
        using Infos = GeneralResult<FencedTimings>;
        return mSession
                ->work<Infos>([info = mInfo]() -> Infos {
                    if (!info) return error() << "the driver has no information";
                    return info();
                })
                .then([context](Infos&& infos) mutable {
                    auto results = context.getResults();
                    write(infos.status(), results.initFailure());
                    if (!infos.has_value()) return;
                    write(infos->first, results.initLaunched());
                    write(infos->second, results.initFenced());
                });
    }

   private:
    SharedSession mSession;
    ExecuteFencedInfoCallback mInfo;
    kj::ForkedPromise<Status> mEnded;
    Tokens mTokens;
};

// The cost of a launch, taken before the driver is called: both ends of its fence, and a third
// descriptor to watch it.
constexpr Amounts kLaunch{.objects = 1, .descriptors = 3};

// A launch whose cost is counted against the client.
struct OwnedLaunch {
    ExecutedFenced fenced{};
    std::shared_ptr<Tokens> tokens{};
};
template <class Launch>
GeneralResult<OwnedLaunch> launchWithinLimits(const std::shared_ptr<SessionLedger>& ledger,
                                              Launch launch) {
    NNAPI_ASSIGN_OR_RETURN(tokens, ledger->take(kLaunch));
    GeneralResult<ExecutedFenced> fenced = launch();
    if (!fenced.has_value()) return fenced.status();
    return OwnedLaunch{*std::move(fenced), std::make_shared<Tokens>(std::move(tokens))};
}

template <class Results>
void replyWithFenced(const SharedSession& session, Results results,
                     GeneralResult<OwnedLaunch>&& launched) {
    replyWith(results, std::move(launched), [&](Results& to, OwnedLaunch made) {
        to.setIsSignaled(!made.fenced.first.hasFd());
        to.setFenced(
                kj::heap<FencedServer>(session, std::move(made.fenced), std::move(*made.tokens)));
    });
}

class ExecutionServer final : public rpc::Execution::Server {
   public:
    ExecutionServer(SharedSession session, SharedDevice device, SharedExecution execution)
        : mSession(std::move(session)),
          mDevice(std::move(device)),
          mExecution(std::move(execution)) {}
    ~ExecutionServer() noexcept(false) { mSession->release(std::move(mExecution)); }

   protected:
    kj::Promise<void> compute(ComputeContext context) override {
        const auto deadline = mSession->bounds().deadline(
                deadlineOf(context.getParams().getDeadline()), *mDevice);
        return mSession
                ->work<ExecutionResult<Executed>>(
                        [execution = mExecution, deadline] { return execution->compute(deadline); })
                .then([context](ExecutionResult<Executed>&& executed) mutable {
                    write(executed, context.getResults().initExecuted());
                });
    }
    kj::Promise<void> computeFenced(ComputeFencedContext context) override {
        return readThenWork<GeneralResult<OwnedLaunch>>(
                       mSession, read(*mSession, *mDevice, context.getParams().getFences()),
                       [execution = mExecution, ledger = mSession->ledger()](const Fences& fences) {
                           return launchWithinLimits(ledger, [&] {
                               return execution->computeFenced(fences.waitFor, fences.deadline,
                                                               fences.afterFences);
                           });
                       })
                .then([session = mSession, context](GeneralResult<OwnedLaunch>&& launched) mutable {
                    replyWithFenced(session, context.getResults(), std::move(launched));
                });
    }

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    SharedExecution mExecution;
};

// Creates a reusable execution of a prepared model or a burst. It keeps the buffers that its tokens
// name.
template <class Executor, class Context>
kj::Promise<void> createExecution(const SharedSession& session, const SharedDevice& device,
                                  const Executor& executor, Context context) {
    using Made = GeneralResult<SharedExecution>;
    return readThenWork<Made>(
                   session, read(*session, *device, context.getParams().getExecute()),
                   [executor, ledger = session->ledger()](const ExecutionRequest& request) -> Made {
                       auto made = makeWithinLimits<SharedExecution>(ledger, {.objects = 1}, [&] {
                           return request.call.lent().reusableOn(*executor);
                       });
                       if (!made.has_value() || request.named.empty()) return made;
                       return withAttachment(*std::move(made), request.named);
                   })
            .then([session, device, context](Made&& made) mutable {
                replyWith(context.getResults(), std::move(made),
                          [&](auto& to, SharedExecution execution) {
                              to.setExecution(kj::heap<ExecutionServer>(session, device,
                                                                        std::move(execution)));
                          });
            });
}

// Runs one execution of a prepared model or a burst.
template <class Executor, class Context>
kj::Promise<void> executeOnce(const SharedSession& session, const SharedDevice& device,
                              const Executor& executor, Context context) {
    return readThenWork<ExecutionResult<Executed>>(
                   session, read(*session, *device, context.getParams().getExecute()),
                   [executor](const ExecutionRequest& request) {
                       return request.call.on(*executor);
                   })
            .then([context](ExecutionResult<Executed>&& executed) mutable {
                write(executed, context.getResults().initExecuted());
            });
}

class HoldServer final : public rpc::Hold::Server {
   public:
    HoldServer(SharedSession session, IBurst::OptionalCacheHold hold)
        : mSession(std::move(session)), mHold(std::move(hold)) {}
    ~HoldServer() noexcept(false) { mSession->release(std::move(mHold)); }

   private:
    SharedSession mSession;
    IBurst::OptionalCacheHold mHold;
};

class BurstServer final : public rpc::Burst::Server {
   public:
    BurstServer(SharedSession session, SharedDevice device, SharedBurst burst)
        : mSession(std::move(session)), mDevice(std::move(device)), mBurst(std::move(burst)) {}
    ~BurstServer() noexcept(false) { mSession->release(std::move(mBurst)); }

   protected:
    kj::Promise<void> cacheMemory(CacheMemoryContext context) override {
        using Hold = GeneralResult<IBurst::OptionalCacheHold>;
        return readThenWork<Hold>(
                       mSession, mSession->memory(context.getParams().getMemory()),
                       [burst = mBurst, ledger = mSession->ledger()](const SharedMemory& memory) {
                           return makeWithinLimits<IBurst::OptionalCacheHold>(
                                   ledger, {.objects = 1},
                                   [&]() -> Hold { return burst->cacheMemory(memory); });
                       })
                .then([session = mSession, context](Hold&& hold) mutable {
                    if (!hold.has_value()) return;
                    context.getResults().setHold(kj::heap<HoldServer>(session, *std::move(hold)));
                });
    }
    kj::Promise<void> execute(ExecuteContext context) override {
        return executeOnce(mSession, mDevice, mBurst, context);
    }
    kj::Promise<void> createReusableExecution(CreateReusableExecutionContext context) override {
        return createExecution(mSession, mDevice, mBurst, context);
    }
    kj::Promise<void> openQueues(OpenQueuesContext context) override {
        return service::openQueues(
                mSession,
                {.device = mDevice,
                 .execute = [burst = mBurst](
                                    const driver::OwnedCall& call) { return call.on(*burst); },
                 .pollingTimeWindow = mSession->options().burstPollingTimeWindow},
                context);
    }

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    SharedBurst mBurst;
};

}  // namespace

// ---- objects that clients pass as arguments

BufferServer::BufferServer(SharedSession session, const IDevice* device, SharedBuffer buffer)
    : mSession(std::move(session)), mDevice(device), mBuffer(std::move(buffer)) {
    mSession->buffersByToken.insert({{mDevice, mBuffer->getToken()}, this});
}

BufferServer::~BufferServer() noexcept(false) {
    const auto [first, last] = mSession->buffersByToken.equal_range({mDevice, mBuffer->getToken()});
    mSession->buffersByToken.erase(
            std::find_if(first, last, [this](const auto& each) { return each.second == this; }));
    mSession->release(std::move(mBuffer));
}

kj::Promise<void> BufferServer::copyTo(CopyToContext context) {
    return readThenWork<GeneralResult<void>>(mSession,
                                             mSession->memory(context.getParams().getMemory()),
                                             [buffer = mBuffer](const SharedMemory& memory) {
                                                 return buffer->copyTo(memory);
                                             })
            .then([context](GeneralResult<void>&& ended) mutable {
                write(ended.status(), context.getResults().initFailure());
            });
}

kj::Promise<void> BufferServer::copyFrom(CopyFromContext context) {
    const auto from = context.getParams();
    return readThenWork<GeneralResult<void>>(
                   mSession, mSession->memory(from.getMemory()),
                   [buffer = mBuffer, dimensions = numbersOf<uint32_t>(from.getDimensions())](
                           const SharedMemory& memory) {
                       return buffer->copyFrom(memory, dimensions);
                   })
            .then([context](GeneralResult<void>&& ended) mutable {
                write(ended.status(), context.getResults().initFailure());
            });
}

kj::Promise<void> PreparedModelServer::execute(ExecuteContext context) {
    return executeOnce(mSession, mDevice, mKnown.model, context);
}

kj::Promise<void> PreparedModelServer::executeFenced(ExecuteFencedContext context) {
    const auto from = context.getParams();
    auto fences = read(*mSession, *mDevice, from.getFences());
    using Arguments = std::pair<ExecutionRequest, Fences>;
    auto both = read(*mSession, *mDevice, from.getExecute())
                        .then([fences = kj::mv(fences)](
                                      GeneralResult<ExecutionRequest>&& execute) mutable {
                            return fences.then([execute = std::move(execute)](
                                                       GeneralResult<Fences>&& read) mutable
                                               -> GeneralResult<Arguments> {
                                if (!execute.has_value()) return execute.status();
                                if (!read.has_value()) return read.status();
                                return Arguments(*std::move(execute), *std::move(read));
                            });
                        });
    return readThenWork<GeneralResult<OwnedLaunch>>(
                   mSession, kj::mv(both),
                   [model = mKnown.model, ledger = mSession->ledger()](const Arguments& arguments) {
                       const auto& [execute, waited] = arguments;
                       return launchWithinLimits(ledger, [&, &e = execute, &f = waited] {
                           return e.call.lent(f.deadline)
                                   .fencedOn(*model, f.waitFor, f.afterFences);
                       });
                   })
            .then([session = mSession, context](GeneralResult<OwnedLaunch>&& launched) mutable {
                replyWithFenced(session, context.getResults(), std::move(launched));
            });
}

kj::Promise<void> PreparedModelServer::createReusableExecution(
        CreateReusableExecutionContext context) {
    return createExecution(mSession, mDevice, mKnown.model, context);
}

kj::Promise<void> PreparedModelServer::configureExecutionBurst(
        ConfigureExecutionBurstContext context) {
    using Burst = GeneralResult<SharedBurst>;
    return mSession
            ->work<Burst>([model = mKnown.model, ledger = mSession->ledger()]() -> Burst {
                return makeWithinLimits<SharedBurst>(
                        ledger, {.objects = 1}, [&] { return model->configureExecutionBurst(); });
            })
            .then([this, context](Burst&& made) mutable {
                replyWith(context.getResults(), std::move(made), [&](auto& to, SharedBurst burst) {
                    to.setBurst(kj::heap<BurstServer>(mSession, mDevice, std::move(burst)));
                });
            });
}

kj::Promise<void> PreparedModelServer::openQueues(OpenQueuesContext context) {
    return service::openQueues(
            mSession,
            {.device = mDevice,
             .execute = [model = mKnown.model](
                                const driver::OwnedCall& call) { return call.on(*model); }},
            context);
}

}  // namespace nn::service
