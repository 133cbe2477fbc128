// The server's devices, and what a connection begins with.
#include <algorithm>
#include <utility>

#include "driver/common/answers.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "service/answering.h"
#include "service/contents_server.h"
#include "service/loop.h"

namespace nn::service {
namespace {

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
                                    << "the cache token has " << bytes.size() << " bytes, allowed "
                                    << token.size());
    }
    std::copy(bytes.begin(), bytes.end(), token.begin());
    const bool hasContents = from.hasModelContents() || from.hasDataContents();
    auto model = hasContents ? session.cacheFiles(from.getModelContents())
                             : session.handles(from.getModel());
    auto data = hasContents ? session.cacheFiles(from.getDataContents())
                            : session.handles(from.getData());
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

// A model as it arrives: its bytes, which stay as long as the call, and its memories.
struct IncomingModel {
    std::string_view message{};
    std::vector<SharedMemory> pools{};
    SharedMemory values{};  // null where they are in the message

    Result<Model> parse(const Limits& limits) const {
        auto parsed = parseModel(message, Format::BINARY, limits);
        if (!parsed.ok()) {
            const ErrorStatus code = errorStatus(parsed.status());
            return makeError(
                    code == ErrorStatus::GENERAL_FAILURE ? ErrorStatus::INVALID_ARGUMENT : code,
                    messageOf(parsed.status()));
        }
        auto* model = std::get_if<Model>(&*parsed);
        if (model == nullptr || !model->pools.empty()) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "the message is not a canonical model without pools");
        }
        model->pools = pools;
        if (values != nullptr) {
            NNAPI_ASSIGN_OR_RETURN(bytes, copyOf(values, limits));
            model->operandValues = Model::OperandValues(std::move(bytes));
        }
        return std::move(*model);
    }

    uint64_t bytes() const { return message.size() + (values == nullptr ? 0 : sizeOf(*values)); }

   private:
    static uint64_t sizeOf(const Memory& memory) {
        return std::visit([](const auto& kind) -> uint64_t { return kind.size; }, memory.handle);
    }
    // Mapped first, which fails for a file that is shorter than the memory claims.
    static Result<std::vector<uint8_t>> copyOf(const SharedMemory& memory, const Limits& limits) {
        NNAPI_ASSIGN_OR_RETURN(mapping, map(memory));
        if (mapping.size() > limits.constantBytes) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "the constants have " << mapping.size() << " bytes, allowed "
                          << limits.constantBytes);
        }
        std::vector<uint8_t> bytes(mapping.size());
        NNAPI_RETURN_IF_ERROR(readMemory(memory, 0, bytes));
        return bytes;
    }
};

Promised<IncomingModel> read(Session& session, rpc::Model::Reader from) {
    const auto bytes = from.getMessage();
    const std::string_view message(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
    auto values = from.hasValues()
                          ? session.memory(from.getValues())
                          : Promised<SharedMemory>(GeneralResult<SharedMemory>(SharedMemory()));
    return session.pools(from.getPools())
            .then([message, values = kj::mv(values)](
                          GeneralResult<std::vector<SharedMemory>>&& pools) mutable {
                return values.then([message, pools = std::move(pools)](
                                           GeneralResult<SharedMemory>&& found) mutable
                                   -> GeneralResult<IncomingModel> {
                    if (!pools.has_value()) return pools.status();
                    if (!found.has_value()) return found.status();
                    return IncomingModel{message, *std::move(pools), *std::move(found)};
                });
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
        return workWith<Supported>(mSession, read(*mSession, context.getParams().getModel()),
                                   [device = mDevice, limits = mSession->options().limits](
                                           const IncomingModel& incoming) -> Supported {
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
        auto bytes = std::make_shared<uint64_t>(0);  // that the prepared model counts for
        auto cache = read(*mSession, from.getCache());
        auto both =
                read(*mSession, from.getModel())
                        .then([bytes, cache = kj::mv(cache)](
                                      GeneralResult<IncomingModel>&& model) mutable {
                            if (model.has_value()) *bytes = model->bytes();
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
                    answerPrepared(context.getResults(), std::move(prepared), *bytes);
                });
    }

    kj::Promise<void> prepareModelFromCache(PrepareModelFromCacheContext context) override {
        using Prepared = GeneralResult<SharedPreparedModel>;
        const auto from = context.getParams();
        return workWith<Prepared>(mSession, read(*mSession, from.getCache()),
                                  [device = mDevice,
                                   deadline = deadlineOf(from.getDeadline())](const Cache& cache) {
                                      return device->prepareModelFromCache(deadline, cache.model,
                                                                           cache.data, cache.token);
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
        return workWith<Buffer>(mSession, kj::mv(found),
                                [device = mDevice,
                                 desc = BufferDesc{numbersOf<uint32_t>(from.getDimensions())},
                                 inputs = rolesOf(from.getInputRoles()),
                                 outputs = rolesOf(from.getOutputRoles())](
                                        const std::vector<SharedPreparedModel>& preparedModels) {
                                    return driver::checkedBuffer(device->allocate(
                                            desc, preparedModels, inputs, outputs));
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
        return descriptors.then(
                [this, context](GeneralResult<std::vector<SharedHandle>>&& handles) mutable {
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

    kj::Promise<void> makeContents(MakeContentsContext context) override {
        const auto params = context.getParams();
        auto made = ContentsServer::create(*mSession, params.getMemory(), params.getIsCacheFile());
        context.getResults().setContents(mSession->give(kj::mv(made)).castAs<rpc::Contents>());
        return kj::READY_NOW;
    }

   private:
    static Result<SharedMemory> memoryWith(rpc::MemoryInfo::Reader from,
                                           const std::vector<SharedHandle>& handles) {
        std::vector<UniqueFd> fds;
        for (const SharedHandle& handle : handles) {
            if (handle == nullptr) {
                return Status(error(ErrorStatus::INVALID_ARGUMENT) << "a descriptor is missing");
            }
            // The only reference: nobody else has seen it.
            fds.push_back(std::move(const_cast<Handle&>(*handle)));
        }
        return memoryOf(from, std::move(fds));
    }

    SharedSession mSession;
};

}  // namespace

rpc::Service::Client serviceFor(const SharedSession& session) {
    return kj::heap<ServiceServer>(session);
}

}  // namespace nn::service
