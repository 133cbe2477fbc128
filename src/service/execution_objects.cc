// The server's prepared models, executions, bursts and buffers.
#include <kj/async-unix.h>

#include <utility>

#include "service/answering.h"
#include "service/asked.h"
#include "service/fences.h"
#include "service/queue_server.h"

namespace nn::service {
namespace {

Promised<Asked> read(Session& session, const IDevice* device, rpc::Execute::Reader from) {
    auto asked = std::make_shared<Asked>(askedOf(from));
    return session.pools(device, from.getRequest().getPools())
            .then([asked](GeneralResult<std::vector<Request::MemoryPool>>&& pools)
                          -> GeneralResult<Asked> {
                if (!pools.has_value()) return pools.status();
                asked->request.pools = *std::move(pools);
                return std::move(*asked);
            });
}

struct Fences {
    std::vector<SyncFence> waitFor{};
    OptionalTimePoint deadline{};
    OptionalDuration afterFences{};
};

Promised<Fences> read(Session& session, rpc::Fences::Reader from) {
    const Fences rest{.waitFor = {},
                      .deadline = deadlineOf(from.getDeadline()),
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
    FencedServer(SharedSession session, ExecutedFenced fenced, Session::Place place)
        : mSession(std::move(session)),
          mFence(std::move(fenced.first)),
          mInfo(std::move(fenced.second)),
          mPlace(std::move(place)) {}

   protected:
    kj::Promise<void> wait(WaitContext context) override {
        return signalled(*mSession->shared().port, mFence)
                .then([context](GeneralResult<void>&& ended) mutable {
                    write(ended.status(), context.getResults().initFailure());
                });
    }
    kj::Promise<void> info(InfoContext context) override {
        using Infos = GeneralResult<std::pair<Timing, Timing>>;
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
    SyncFence mFence;
    ExecuteFencedInfoCallback mInfo;
    Session::Place mPlace;
};

template <class Results>
void answerFenced(const SharedSession& session, Results results,
                  GeneralResult<ExecutedFenced>&& launched) {
    answer(session, results, std::move(launched), 0,
           [&](Results& to, ExecutedFenced fenced, Session::Place place) {
               to.setIsSignalled(!fenced.first.hasFd());
               to.setFenced(kj::heap<FencedServer>(session, std::move(fenced), std::move(place)));
           });
}

class ExecutionServer final : public rpc::Execution::Server {
   public:
    ExecutionServer(SharedSession session, SharedExecution execution, Session::Place place)
        : mSession(std::move(session)),
          mExecution(std::move(execution)),
          mPlace(std::move(place)) {}
    ~ExecutionServer() noexcept(false) { mSession->release(std::move(mExecution)); }

   protected:
    kj::Promise<void> compute(ComputeContext context) override {
        const auto deadline = deadlineOf(context.getParams().getDeadline());
        return mSession
                ->work<ExecutionResult<Executed>>(
                        [execution = mExecution, deadline] { return execution->compute(deadline); })
                .then([context](ExecutionResult<Executed>&& executed) mutable {
                    write(executed, context.getResults().initExecuted());
                });
    }
    kj::Promise<void> computeFenced(ComputeFencedContext context) override {
        return workWith<GeneralResult<ExecutedFenced>>(
                       mSession, read(*mSession, context.getParams().getFences()),
                       [execution = mExecution](const Fences& fences) {
                           return execution->computeFenced(fences.waitFor, fences.deadline,
                                                           fences.afterFences);
                       })
                .then([session = mSession,
                       context](GeneralResult<ExecutedFenced>&& launched) mutable {
                    answerFenced(session, context.getResults(), std::move(launched));
                });
    }

   private:
    SharedSession mSession;
    SharedExecution mExecution;
    Session::Place mPlace;
};

template <class Results>
void answerExecution(const SharedSession& session, Results results,
                     GeneralResult<SharedExecution>&& made) {
    answer(session, results, std::move(made), 0,
           [&](Results& to, SharedExecution execution, Session::Place place) {
               to.setExecution(
                       kj::heap<ExecutionServer>(session, std::move(execution), std::move(place)));
           });
}

class HoldServer final : public rpc::Hold::Server {
   public:
    HoldServer(SharedSession session, IBurst::OptionalCacheHold hold, Session::Place place)
        : mSession(std::move(session)), mHold(std::move(hold)), mPlace(std::move(place)) {}
    ~HoldServer() noexcept(false) { mSession->release(std::move(mHold)); }

   private:
    SharedSession mSession;
    IBurst::OptionalCacheHold mHold;
    Session::Place mPlace;
};

class BurstServer final : public rpc::Burst::Server {
   public:
    BurstServer(SharedSession session, SharedDevice device, SharedBurst burst, Session::Place place)
        : mSession(std::move(session)),
          mDevice(std::move(device)),
          mBurst(std::move(burst)),
          mPlace(std::move(place)) {}
    ~BurstServer() noexcept(false) { mSession->release(std::move(mBurst)); }

   protected:
    kj::Promise<void> cacheMemory(CacheMemoryContext context) override {
        using Hold = GeneralResult<IBurst::OptionalCacheHold>;
        return workWith<Hold>(mSession, mSession->memory(context.getParams().getMemory()),
                              [burst = mBurst](const SharedMemory& memory) -> Hold {
                                  return burst->cacheMemory(memory);
                              })
                .then([session = mSession, context](Hold&& hold) mutable {
                    if (!hold.has_value() || *hold == nullptr) return;
                    auto place = session->place();
                    if (!place.ok()) return;
                    context.getResults().setHold(
                            kj::heap<HoldServer>(session, *std::move(hold), *std::move(place)));
                });
    }
    kj::Promise<void> execute(ExecuteContext context) override {
        return workWith<ExecutionResult<Executed>>(
                       mSession, read(*mSession, mDevice.get(), context.getParams().getExecute()),
                       [burst = mBurst](const Asked& asked) { return asked.executeBy(*burst); })
                .then([context](ExecutionResult<Executed>&& executed) mutable {
                    write(executed, context.getResults().initExecuted());
                });
    }
    kj::Promise<void> createReusableExecution(CreateReusableExecutionContext context) override {
        return workWith<GeneralResult<SharedExecution>>(
                       mSession, read(*mSession, mDevice.get(), context.getParams().getExecute()),
                       [burst = mBurst](const Asked& asked) { return asked.executionOf(*burst); })
                .then([session = mSession, context](GeneralResult<SharedExecution>&& made) mutable {
                    answerExecution(session, context.getResults(), std::move(made));
                });
    }
    kj::Promise<void> openQueues(OpenQueuesContext context) override {
        return service::openQueues(mSession, mBurst, context);
    }

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    SharedBurst mBurst;
    Session::Place mPlace;
};

}  // namespace

// ---- those that others name

BufferServer::BufferServer(SharedSession session, const IDevice* device, SharedBuffer buffer,
                           Session::Place place)
    : mSession(std::move(session)),
      mDevice(device),
      mBuffer(std::move(buffer)),
      mPlace(std::move(place)) {
    ++mSession->tokens[{mDevice, mBuffer->getToken()}];
}

BufferServer::~BufferServer() noexcept(false) {
    const auto at = mSession->tokens.find({mDevice, mBuffer->getToken()});
    if (--at->second == 0) mSession->tokens.erase(at);
    mSession->release(std::move(mBuffer));
}

kj::Promise<void> BufferServer::copyTo(CopyToContext context) {
    return workWith<GeneralResult<void>>(mSession,
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
    return workWith<GeneralResult<void>>(
                   mSession, mSession->memory(from.getMemory()),
                   [buffer = mBuffer, dimensions = numbersOf<uint32_t>(from.getDimensions())](
                           const SharedMemory& memory) {
                       return buffer->copyFrom(memory, dimensions);
                   })
            .then([context](GeneralResult<void>&& ended) mutable {
                write(ended.status(), context.getResults().initFailure());
            });
}

PreparedModelServer::PreparedModelServer(SharedSession session, SharedDevice device,
                                         SharedPreparedModel model, Session::Place place)
    : mSession(std::move(session)),
      mDevice(std::move(device)),
      mModel(std::move(model)),
      mPlace(std::move(place)) {}

PreparedModelServer::~PreparedModelServer() noexcept(false) {
    mSession->release(std::move(mModel));
}

kj::Promise<void> PreparedModelServer::execute(ExecuteContext context) {
    return workWith<ExecutionResult<Executed>>(
                   mSession, read(*mSession, mDevice.get(), context.getParams().getExecute()),
                   [model = mModel](const Asked& asked) { return asked.executeBy(*model); })
            .then([context](ExecutionResult<Executed>&& executed) mutable {
                write(executed, context.getResults().initExecuted());
            });
}

kj::Promise<void> PreparedModelServer::executeFenced(ExecuteFencedContext context) {
    const auto from = context.getParams();
    auto fences = read(*mSession, from.getFences());
    using Both = std::pair<Asked, Fences>;
    auto both = read(*mSession, mDevice.get(), from.getExecute())
                        .then([fences = kj::mv(fences)](GeneralResult<Asked>&& execute) mutable {
                            return fences.then([execute = std::move(execute)](
                                                       GeneralResult<Fences>&& read) mutable
                                               -> GeneralResult<Both> {
                                if (!execute.has_value()) return execute.status();
                                if (!read.has_value()) return read.status();
                                return Both(*std::move(execute), *std::move(read));
                            });
                        });
    return workWith<GeneralResult<ExecutedFenced>>(mSession, kj::mv(both),
                                                   [model = mModel](const Both& arguments) {
                                                       const auto& [e, f] = arguments;
                                                       return model->executeFenced(
                                                               e.request, f.waitFor, e.measure,
                                                               f.deadline, e.loopTimeout,
                                                               f.afterFences, e.hints, e.prefixes);
                                                   })
            .then([session = mSession, context](GeneralResult<ExecutedFenced>&& launched) mutable {
                answerFenced(session, context.getResults(), std::move(launched));
            });
}

kj::Promise<void> PreparedModelServer::createReusableExecution(
        CreateReusableExecutionContext context) {
    return workWith<GeneralResult<SharedExecution>>(
                   mSession, read(*mSession, mDevice.get(), context.getParams().getExecute()),
                   [model = mModel](const Asked& asked) { return asked.executionOf(*model); })
            .then([session = mSession, context](GeneralResult<SharedExecution>&& made) mutable {
                answerExecution(session, context.getResults(), std::move(made));
            });
}

kj::Promise<void> PreparedModelServer::configureExecutionBurst(
        ConfigureExecutionBurstContext context) {
    return mSession
            ->work<GeneralResult<SharedBurst>>(
                    [model = mModel] { return model->configureExecutionBurst(); })
            .then([this, context](GeneralResult<SharedBurst>&& made) mutable {
                auto results = context.getResults();
                answer(mSession, results, std::move(made), 0,
                       [&](auto& to, SharedBurst burst, Session::Place place) {
                           to.setBurst(kj::heap<BurstServer>(mSession, mDevice, std::move(burst),
                                                             std::move(place)));
                       });
            });
}

}  // namespace nn::service
