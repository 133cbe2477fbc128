// The server's objects: each call is read on the loop, made on another thread, and answered on the
// loop again.
#include <kj/async-unix.h>

#include <utility>

#include "nnapi/io.h"
#include "service/loop.h"
#include "service/session.h"

namespace nn::service {
namespace {

struct Execute {
    Request request{};
    MeasureTiming measure{};
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeout{};
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> prefixes{};
};

Promised<Execute> read(Session& session, const IDevice* device, rpc::Execute::Reader from) {
    auto execute = std::make_shared<Execute>(
            Execute{.request = {},
                    .measure = static_cast<MeasureTiming>(from.getMeasure()),
                    .deadline = deadlineOf(from.getDeadline()),
                    .loopTimeout = durationOf(from.getLoopTimeout()),
                    .hints = hintsOf(from.getHints()),
                    .prefixes = prefixesOf(from.getPrefixes())});
    return session.request(device, from.getRequest())
            .then([execute](GeneralResult<Request>&& request) -> GeneralResult<Execute> {
                if (!request.has_value()) return request.status();
                execute->request = *std::move(request);
                return std::move(*execute);
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

// The arguments, and then the work that they are for.
template <class R, class T, class Call>
kj::Promise<R> workWith(SharedSession session, Promised<T> arguments, Call call) {
    return arguments.then([session, call](GeneralResult<T>&& read) mutable -> kj::Promise<R> {
        if (!read.has_value()) return R(read.status());
        return session->work<R>([call, value = *std::move(read)] { return call(value); });
    });
}

// Succeeds when the fence is signalled.
kj::Promise<GeneralResult<void>> signalled(kj::UnixEventPort& port, const SyncFence& fence) {
    const auto state = [](const SyncFence& asked) {
        switch (asked.syncWait(Duration::zero())) {
            case SyncFence::FenceState::SIGNALED:
                return GeneralResult<void>();
            case SyncFence::FenceState::ACTIVE:
            case SyncFence::FenceState::ERROR:
            case SyncFence::FenceState::UNKNOWN:
                break;
        }
        return GeneralResult<void>(error() << "the fence has failed");
    };
    if (!fence.hasFd() || fence.syncWait(Duration::zero()) != SyncFence::FenceState::ACTIVE) {
        return state(fence);
    }
    auto fd = kj::heap<UniqueFd>(duplicate(fence.getFd()));
    if (!fd->ok()) return GeneralResult<void>(error() << "the server has no descriptor left");
    auto observer = kj::heap<kj::UnixEventPort::FdObserver>(
            port, fd->get(), kj::UnixEventPort::FdObserver::OBSERVE_READ);
    auto readable = observer->whenBecomesReadable();
    return readable.then([state, fence] { return state(fence); })
            .attach(kj::mv(observer), kj::mv(fd));
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

// An object that the driver has made, as the client gets it: by a place of its own.
template <class Results, class T, class Give>
void answer(const SharedSession& session, Results results, GeneralResult<T>&& made, uint64_t bytes,
            Give give) {
    if (!made.has_value()) return write(made.status(), results.initFailure());
    if constexpr (requires { *made == nullptr; }) {
        if (*made == nullptr) {
            const Status status = error() << "the driver answers success with null";
            return write(status, results.initFailure());
        }
    }
    auto place = session->place(bytes);
    if (!place.ok()) return write(place.status(), results.initFailure());
    give(results, *std::move(made), *std::move(place));
}

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
                ->work<ExecutionResult<Executed>>([execution = mExecution, deadline] {
                    return execution->compute(deadline);
                })
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
               to.setExecution(kj::heap<ExecutionServer>(session, std::move(execution),
                                                         std::move(place)));
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
    BurstServer(SharedSession session, SharedDevice device, SharedBurst burst,
                Session::Place place)
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
                    context.getResults().setHold(kj::heap<HoldServer>(session, *std::move(hold),
                                                                      *std::move(place)));
                });
    }
    kj::Promise<void> execute(ExecuteContext context) override {
        return workWith<ExecutionResult<Executed>>(
                       mSession,
                       read(*mSession, mDevice.get(), context.getParams().getExecute()),
                       [burst = mBurst](const Execute& e) {
                           return burst->execute(e.request, e.measure, e.deadline, e.loopTimeout,
                                                 e.hints, e.prefixes);
                       })
                .then([context](ExecutionResult<Executed>&& executed) mutable {
                    write(executed, context.getResults().initExecuted());
                });
    }
    kj::Promise<void> createReusableExecution(CreateReusableExecutionContext context) override {
        return workWith<GeneralResult<SharedExecution>>(
                       mSession,
                       read(*mSession, mDevice.get(), context.getParams().getExecute()),
                       [burst = mBurst](const Execute& e) {
                           return burst->createReusableExecution(e.request, e.measure,
                                                                 e.loopTimeout, e.hints,
                                                                 e.prefixes);
                       })
                .then([session = mSession,
                       context](GeneralResult<SharedExecution>&& made) mutable {
                    answerExecution(session, context.getResults(), std::move(made));
                });
    }

   private:
    SharedSession mSession;
    SharedDevice mDevice;
    SharedBurst mBurst;
    Session::Place mPlace;
};

// ---- devices

struct Cache {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    CacheToken token{};
};

Promised<Cache> read(Session& session, rpc::Cache::Reader from) {
    CacheToken token{};
    const auto bytes = from.getToken();
    if (bytes.size() != 0 && bytes.size() != token.size()) {
        return GeneralResult<Cache>(error(ErrorStatus::INVALID_ARGUMENT)
                                    << "the cache token has " << bytes.size()
                                    << " bytes, allowed " << token.size());
    }
    std::copy(bytes.begin(), bytes.end(), token.begin());
    auto model = session.handles(from.getModel());
    auto data = session.handles(from.getData());
    return model.then([token, data = kj::mv(data)](
                              GeneralResult<std::vector<SharedHandle>>&& models) mutable {
        return data.then([token, models = std::move(models)](
                                 GeneralResult<std::vector<SharedHandle>>&& datas) mutable
                         -> GeneralResult<Cache> {
            if (!models.has_value()) return models.status();
            if (!datas.has_value()) return datas.status();
            return Cache{*std::move(models), *std::move(datas), token};
        });
    });
}

// A model as it arrives: its bytes, which stay as long as the call, and its pools.
struct IncomingModel {
    std::string_view message{};
    std::vector<SharedMemory> pools{};

    Result<Model> parse(const Limits& limits) const {
        auto parsed = parseModel(message, Format::BINARY, limits);
        if (!parsed.ok()) {
            const ErrorStatus code = errorStatus(parsed.status());
            return makeError(code == ErrorStatus::GENERAL_FAILURE ? ErrorStatus::INVALID_ARGUMENT
                                                                  : code,
                             messageOf(parsed.status()));
        }
        auto* model = std::get_if<Model>(&*parsed);
        if (model == nullptr || !model->pools.empty()) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "the message is not a canonical model without pools");
        }
        model->pools = pools;
        return std::move(*model);
    }
};

Promised<IncomingModel> read(Session& session, rpc::Model::Reader from) {
    const auto bytes = from.getMessage();
    const std::string_view message(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
    return session.pools(from.getPools())
            .then([message](GeneralResult<std::vector<SharedMemory>>&& pools)
                          -> GeneralResult<IncomingModel> {
                if (!pools.has_value()) return pools.status();
                return IncomingModel{message, *std::move(pools)};
            });
}

class DeviceServer final : public rpc::Device::Server {
   public:
    DeviceServer(SharedSession session, SharedDevice device)
        : mSession(std::move(session)), mDevice(std::move(device)) {}

   protected:
    kj::Promise<void> wait(WaitContext context) override {
        return mSession->work<GeneralResult<void>>([device = mDevice] { return device->wait(); })
                .then([context](GeneralResult<void>&& ended) mutable {
                    write(ended.status(), context.getResults().initFailure());
                });
    }

    kj::Promise<void> supportedOperations(SupportedOperationsContext context) override {
        using Supported = GeneralResult<std::vector<bool>>;
        return workWith<Supported>(
                       mSession, read(*mSession, context.getParams().getModel()),
                       [device = mDevice,
                        limits = mSession->options().limits](const IncomingModel& incoming) -> Supported {
                           NNAPI_ASSIGN_OR_RETURN(model, incoming.parse(limits));
                           return device->getSupportedOperations(model);
                       })
                .then([context](Supported&& supported) mutable {
                    auto results = context.getResults();
                    write(supported.status(), results.initFailure());
                    if (!supported.has_value()) return;
                    writeNumbers(results.initSupported(static_cast<unsigned>(supported->size())),
                                 *supported);
                });
    }

    kj::Promise<void> prepareModel(PrepareModelContext context) override {
        const auto from = context.getParams();
        const uint64_t bytes = from.getModel().getMessage().size();
        auto cache = read(*mSession, from.getCache());
        auto both = read(*mSession, from.getModel())
                            .then([cache = kj::mv(cache)](
                                          GeneralResult<IncomingModel>&& model) mutable {
                                return cache.then([model = std::move(model)](
                                                          GeneralResult<Cache>&& read) mutable
                                                  -> GeneralResult<std::pair<IncomingModel, Cache>> {
                                    if (!model.has_value()) return model.status();
                                    // What is wrong with a cache never makes a preparation fail.
                                    return std::pair(*std::move(model),
                                                     read.has_value() ? *std::move(read) : Cache());
                                });
                            });
        using Prepared = GeneralResult<SharedPreparedModel>;
        return workWith<Prepared>(
                       mSession, kj::mv(both),
                       [device = mDevice, limits = mSession->options().limits,
                        preference = static_cast<ExecutionPreference>(from.getPreference()),
                        priority = static_cast<Priority>(from.getPriority()),
                        deadline = deadlineOf(from.getDeadline()), hints = hintsOf(from.getHints()),
                        prefixes = prefixesOf(from.getPrefixes())](
                               const std::pair<IncomingModel, Cache>& arrived) -> Prepared {
                           const auto& [incoming, cacheFiles] = arrived;
                           NNAPI_ASSIGN_OR_RETURN(model, incoming.parse(limits));
                           return device->prepareModel(model, preference, priority, deadline,
                                                       cacheFiles.model, cacheFiles.data,
                                                       cacheFiles.token, hints, prefixes);
                       })
                .then([this, context, bytes](Prepared&& prepared) mutable {
                    answerPrepared(context.getResults(), std::move(prepared), bytes);
                });
    }

    kj::Promise<void> prepareModelFromCache(PrepareModelFromCacheContext context) override {
        using Prepared = GeneralResult<SharedPreparedModel>;
        const auto from = context.getParams();
        return workWith<Prepared>(mSession, read(*mSession, from.getCache()),
                                  [device = mDevice, deadline = deadlineOf(from.getDeadline())](
                                          const Cache& cache) {
                                      return device->prepareModelFromCache(
                                              deadline, cache.model, cache.data, cache.token);
                                  })
                .then([this, context](Prepared&& prepared) mutable {
                    answerPrepared(context.getResults(), std::move(prepared), 0);
                });
    }

    kj::Promise<void> allocate(AllocateContext context) override {
        const auto from = context.getParams();
        const auto list = from.getPreparedModels();
        auto models = kj::heapArrayBuilder<Promised<SharedPreparedModel>>(list.size());
        for (unsigned i = 0; i < list.size(); ++i) models.add(mSession->preparedModel(list[i]));
        using Models = kj::Array<GeneralResult<SharedPreparedModel>>;
        auto found = kj::joinPromises(models.finish())
                             .then([](Models&& results)
                                           -> GeneralResult<std::vector<SharedPreparedModel>> {
                                 std::vector<SharedPreparedModel> all;
                                 for (auto& result : results) {
                                     if (!result.has_value()) return result.status();
                                     all.push_back(*std::move(result));
                                 }
                                 return all;
                             });
        using Buffer = GeneralResult<SharedBuffer>;
        return workWith<Buffer>(
                       mSession, kj::mv(found),
                       [device = mDevice,
                        desc = BufferDesc{numbersOf<uint32_t>(from.getDimensions())},
                        inputs = rolesOf(from.getInputRoles()),
                        outputs = rolesOf(from.getOutputRoles())](
                               const std::vector<SharedPreparedModel>& preparedModels) {
                           return device->allocate(desc, preparedModels, inputs, outputs);
                       })
                .then([this, context](Buffer&& made) mutable {
                    auto results = context.getResults();
                    answer(mSession, results, std::move(made), 0,
                           [&](auto& to, SharedBuffer buffer, Session::Place place) {
                               to.setToken(static_cast<uint32_t>(buffer->getToken()));
                               to.setBuffer(mSession->give(kj::heap<BufferServer>(
                                       mSession, mDevice.get(), std::move(buffer),
                                       std::move(place))));
                           });
                });
    }

   private:
    template <class Results>
    void answerPrepared(Results results, GeneralResult<SharedPreparedModel>&& prepared,
                        uint64_t bytes) {
        answer(mSession, results, std::move(prepared), bytes,
               [&](Results& to, SharedPreparedModel model, Session::Place place) {
                   to.setPreparedModel(mSession->give(kj::heap<PreparedModelServer>(
                           mSession, mDevice, std::move(model), std::move(place))));
               });
    }

    SharedSession mSession;
    SharedDevice mDevice;
};

class ServiceServer final : public rpc::Service::Server {
   public:
    explicit ServiceServer(SharedSession session) : mSession(std::move(session)) {}

   protected:
    kj::Promise<void> devices(DevicesContext context) override {
        const auto& devices = mSession->shared().devices;
        auto list = context.getResults().initDevices(static_cast<unsigned>(devices.size()));
        for (unsigned i = 0; i < list.size(); ++i) {
            write(*devices[i], list[i].initInfo());
            list[i].setDevice(kj::heap<DeviceServer>(mSession, devices[i]));
        }
        return kj::READY_NOW;
    }

    kj::Promise<void> share(ShareContext context) override {
        const auto from = context.getParams().getMemory();
        auto descriptors = mSession->handles(from.getDescriptors());
        return descriptors.then([this, context](
                                        GeneralResult<std::vector<SharedHandle>>&& handles) mutable {
            auto place = mSession->place(context.getParams().getMemory().getSize());
            GeneralResult<SharedMemory> memory;
            if (!place.ok()) {
                memory = place.status();
            } else if (!handles.has_value()) {
                memory = handles.status();
            } else {
                memory = memoryWith(context.getParams().getMemory(), *handles);
            }
            context.getResults().setMemory(mSession->give(kj::heap<MemoryServer>(
                    std::move(memory), place.ok() ? *std::move(place) : Session::Place())));
            context.releaseParams();
        });
    }

    kj::Promise<void> ping(PingContext) override { return kj::READY_NOW; }

   private:
    static Result<SharedMemory> memoryWith(rpc::MemoryInfo::Reader from,
                                           const std::vector<SharedHandle>& handles) {
        std::vector<UniqueFd> fds;
        for (const SharedHandle& handle : handles) {
            // The only reference: nobody else has seen it.
            fds.push_back(std::move(const_cast<Handle&>(*handle)));
        }
        return memoryOf(from, std::move(fds));
    }

    SharedSession mSession;
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
    return workWith<GeneralResult<void>>(
                   mSession, mSession->memory(context.getParams().getMemory()),
                   [buffer = mBuffer](const SharedMemory& memory) { return buffer->copyTo(memory); })
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
                   [model = mModel](const Execute& e) {
                       return model->execute(e.request, e.measure, e.deadline, e.loopTimeout,
                                             e.hints, e.prefixes);
                   })
            .then([context](ExecutionResult<Executed>&& executed) mutable {
                write(executed, context.getResults().initExecuted());
            });
}

kj::Promise<void> PreparedModelServer::executeFenced(ExecuteFencedContext context) {
    const auto from = context.getParams();
    auto fences = read(*mSession, from.getFences());
    using Both = std::pair<Execute, Fences>;
    auto both = read(*mSession, mDevice.get(), from.getExecute())
                        .then([fences = kj::mv(fences)](GeneralResult<Execute>&& execute) mutable {
                            return fences.then([execute = std::move(execute)](
                                                       GeneralResult<Fences>&& read) mutable
                                               -> GeneralResult<Both> {
                                if (!execute.has_value()) return execute.status();
                                if (!read.has_value()) return read.status();
                                return Both(*std::move(execute), *std::move(read));
                            });
                        });
    return workWith<GeneralResult<ExecutedFenced>>(
                   mSession, kj::mv(both),
                   [model = mModel](const Both& arguments) {
                       const auto& [e, f] = arguments;
                       return model->executeFenced(e.request, f.waitFor, e.measure, f.deadline,
                                                   e.loopTimeout, f.afterFences, e.hints,
                                                   e.prefixes);
                   })
            .then([session = mSession, context](GeneralResult<ExecutedFenced>&& launched) mutable {
                answerFenced(session, context.getResults(), std::move(launched));
            });
}

kj::Promise<void> PreparedModelServer::createReusableExecution(
        CreateReusableExecutionContext context) {
    return workWith<GeneralResult<SharedExecution>>(
                   mSession, read(*mSession, mDevice.get(), context.getParams().getExecute()),
                   [model = mModel](const Execute& e) {
                       return model->createReusableExecution(e.request, e.measure, e.loopTimeout,
                                                             e.hints, e.prefixes);
                   })
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

rpc::Service::Client serviceFor(const SharedSession& session) {
    return kj::heap<ServiceServer>(session);
}

}  // namespace nn::service
