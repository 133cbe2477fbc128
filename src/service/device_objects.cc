// The server's devices, and the service capability that bootstraps a connection.
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "driver/wrap/result_checks.h"
#include "nnapi/checked_math.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "service/call_handling.h"
#include "service/contents_server.h"
#include "service/descriptors.h"
#include "service/event_loop.h"
#include "types/memory_file.h"

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
            for (const auto* files : {&*models, &*datas}) {
                for (const SharedHandle& file : *files) {
                    if (file != nullptr) NNAPI_RETURN_IF_ERROR(checkFile(file->get()));
                }
            }
            return Cache{*std::move(models), *std::move(datas), token};
        });
    });
}

// A model as received: its bytes, copied out of the message, and its memories.
struct IncomingModel {
    std::shared_ptr<const std::string> message{};
    std::vector<SharedMemory> pools{};
    SharedMemory values{};  // null if the values are in the message

    Result<Model> parse(const Limits& limits) const {
        auto parsed = parseModel(*message, Format::BINARY, limits);
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

   private:
    // Maps the memory first, which fails for a file shorter than the memory claims.
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
    using Incoming = GeneralResult<IncomingModel>;
    const auto bytes = from.getMessage();
    auto tokens = session.ledger()->take({.bytes = bytes.size()});
    if (!tokens.ok()) return Incoming(tokens.status());
    auto message =
            withAttachment(std::make_shared<const std::string>(
                                   reinterpret_cast<const char*>(bytes.begin()), bytes.size()),
                           *std::move(tokens));
    auto values = from.hasValues()
                          ? session.memory(from.getValues())
                          : Promised<SharedMemory>(GeneralResult<SharedMemory>(SharedMemory()));
    return session.pools(from.getPools())
            .then([message = std::move(message), values = kj::mv(values)](
                          GeneralResult<std::vector<SharedMemory>>&& pools) mutable {
                return values.then([message = std::move(message), pools = std::move(pools)](
                                           GeneralResult<SharedMemory>&& found) mutable
                                   -> Incoming {
                    if (!pools.has_value()) return pools.status();
                    if (!found.has_value()) return found.status();
                    return IncomingModel{std::move(message), *std::move(pools), *std::move(found)};
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
        auto incomingModel = read(*mSession, context.getParams().getModel());
        context.releaseParams();
        return readThenWork<Supported>(mSession, kj::mv(incomingModel),
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
        auto cache = read(*mSession, from.getCache());
        auto both =
                read(*mSession, from.getModel())
                        .then([cache = kj::mv(cache)](
                                      GeneralResult<IncomingModel>&& model) mutable {
                            return cache.then([model = std::move(model)](
                                                      GeneralResult<Cache>&& read) mutable
                                              -> GeneralResult<std::pair<IncomingModel, Cache>> {
                                if (!model.has_value()) return model.status();
                                // A bad cache never makes a preparation fail.
                                return std::pair(*std::move(model),
                                                 read.has_value() ? *std::move(read) : Cache());
                            });
                        });
        auto prepare =
                [device = mDevice, ledger = mSession->ledger(), limits = mSession->options().limits,
                 preference = static_cast<ExecutionPreference>(from.getPreference()),
                 priority = static_cast<Priority>(from.getPriority()),
                 deadline = mSession->bounds().deadline(deadlineOf(from.getDeadline()), *mDevice),
                 hints = hintsOf(from.getHints()), prefixes = prefixesOf(from.getPrefixes())](
                        const std::pair<IncomingModel, Cache>& arrived)
                -> GeneralResult<KnownModel> {
            const auto& [incoming, cache] = arrived;
            NNAPI_ASSIGN_OR_RETURN(model, incoming.parse(limits));
            const uint64_t bytes =
                    checkedAdd<uint64_t>(incoming.message->size(), constantBytes(model))
                            .value_or(UINT64_MAX);
            auto prepared = makeWithinLimits<SharedPreparedModel>(
                    ledger, {.objects = 1, .bytes = bytes}, [&, &files = cache] {
                        return device->prepareModel(model, preference, priority, deadline,
                                                    files.model, files.data, files.token, hints,
                                                    prefixes);
                    });
            if (!prepared.has_value()) return prepared.status();
            return KnownModel{*std::move(prepared),
                              std::make_shared<const ModelArguments>(argumentsOf(model))};
        };
        context.releaseParams();
        return readThenWork<GeneralResult<KnownModel>>(mSession, kj::mv(both), std::move(prepare))
                .then([this, context](GeneralResult<KnownModel>&& prepared) mutable {
                    replyWithPrepared(context.getResults(), std::move(prepared));
                });
    }

    kj::Promise<void> prepareModelFromCache(PrepareModelFromCacheContext context) override {
        const auto from = context.getParams();
        auto prepare =
                [device = mDevice, ledger = mSession->ledger(),
                 deadline = mSession->bounds().deadline(deadlineOf(from.getDeadline()), *mDevice)](
                        const Cache& cache) -> GeneralResult<KnownModel> {
            NNAPI_ASSIGN_OR_RETURN(bytes, bytesOf(cache));
            auto prepared = makeWithinLimits<SharedPreparedModel>(
                    ledger, {.objects = 1, .bytes = bytes}, [&] {
                        return device->prepareModelFromCache(deadline, cache.model, cache.data,
                                                             cache.token);
                    });
            if (!prepared.has_value()) return prepared.status();
            return KnownModel{*std::move(prepared), {}};
        };
        return readThenWork<GeneralResult<KnownModel>>(mSession, read(*mSession, from.getCache()),
                                                       std::move(prepare))
                .then([this, context](GeneralResult<KnownModel>&& prepared) mutable {
                    replyWithPrepared(context.getResults(), std::move(prepared));
                });
    }

    kj::Promise<void> allocate(AllocateContext context) override {
        using Buffer = GeneralResult<SharedBuffer>;
        const auto from = context.getParams();
        return readThenWork<Buffer>(
                       mSession, mSession->preparedModels(from.getPreparedModels()),
                       [device = mDevice, ledger = mSession->ledger(),
                        desc = BufferDesc{numbersOf<uint32_t>(from.getDimensions())},
                        inputs = rolesOf(from.getInputRoles()),
                        outputs = rolesOf(from.getOutputRoles())](
                               const std::vector<KnownModel>& known) -> Buffer {
                           std::vector<SharedPreparedModel> models;
                           std::vector<std::shared_ptr<const ModelArguments>> arguments;
                           for (const KnownModel& each : known) {
                               models.push_back(each.model);
                               arguments.push_back(each.arguments);
                           }
                           const uint64_t bytes =
                                   bufferBytes(desc.dimensions, arguments, inputs, outputs);
                           return makeWithinLimits<SharedBuffer>(
                                   ledger, {.objects = 1, .bytes = bytes}, [&] {
                                       return driver::checkedBuffer(
                                               device->allocate(desc, models, inputs, outputs));
                                   });
                       })
                .then([this, context](Buffer&& made) mutable {
                    replyWith(context.getResults(), std::move(made),
                              [&](auto& to, SharedBuffer buffer) {
                                  to.setToken(static_cast<uint32_t>(buffer->getToken()));
                                  to.setBuffer(mSession->give(kj::heap<BufferServer>(
                                          mSession, mDevice.get(), std::move(buffer))));
                              });
                });
    }

   private:
    template <class Results>
    void replyWithPrepared(Results results, GeneralResult<KnownModel>&& prepared) {
        replyWith(results, std::move(prepared), [&](Results& to, KnownModel known) {
            to.setPreparedModel(mSession->give(
                    kj::heap<PreparedModelServer>(mSession, mDevice, std::move(known))));
        });
    }

    // Counts all bytes that a driver reads, since it may keep a copy.
    static Result<uint64_t> bytesOf(const Cache& cache) {
        std::optional<uint64_t> bytes = 0;
        for (const auto* files : {&cache.model, &cache.data}) {
            for (const SharedHandle& file : *files) {
                struct stat found {};
                if (file == nullptr || fstat(file->get(), &found) != 0) continue;
                bytes = checkedAdd<uint64_t>(bytes, checkedCast<uint64_t>(found.st_size));
            }
        }
        return bytes.value_or(UINT64_MAX);
    }

    SharedSession mSession;
    SharedDevice mDevice;
};

class ServiceServer final : public rpc::Service::Server {
   public:
    explicit ServiceServer(SharedSession session) : mSession(std::move(session)) {
        for (const SharedDevice& device : mSession->serverState().devices) {
            mDevices.push_back(kj::heap<DeviceServer>(mSession, device));
        }
    }

   protected:
    // Returns the same objects every time.
    kj::Promise<void> devices(DevicesContext context) override {
        const auto& devices = mSession->serverState().devices;
        auto list = context.getResults().initDevices(static_cast<unsigned>(devices.size()));
        for (unsigned i = 0; i < list.size(); ++i) {
            write(*devices[i], list[i].initInfo());
            list[i].setDevice(mDevices[i]);
        }
        return kj::READY_NOW;
    }

    kj::Promise<void> share(ShareContext context) override {
        auto capability = capabilityTokens(*mSession);
        const auto from = context.getParams().getMemory();
        return mSession->handles(from.getDescriptors())
                .then([this, context, capability = std::move(capability)](
                              GeneralResult<std::vector<SharedHandle>>&& handles) mutable {
                    context.getResults().setMemory(mSession->give(kj::heap<MemoryServer>(
                            memoryWith(context.getParams().getMemory(), std::move(handles)),
                            std::move(capability))));
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
    GeneralResult<SharedMemory> memoryWith(rpc::MemoryInfo::Reader from,
                                           GeneralResult<std::vector<SharedHandle>> handles) {
        if (!handles.has_value()) return handles.status();
        NNAPI_ASSIGN_OR_RETURN(tokens, mSession->ledger()->take({.bytes = from.getSize()}));
        std::vector<UniqueFd> fds;
        for (const SharedHandle& handle : *handles) {
            if (handle == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT) << "a descriptor is missing";
            }
            // Safe: this is the only reference to the handle.
            fds.push_back(std::move(const_cast<Handle&>(*handle)));
        }
        NNAPI_ASSIGN_OR_RETURN(memory, memoryOf(from, std::move(fds)));
        NNAPI_RETURN_IF_ERROR(checkFiles(*memory));
        // The handles are empty now, but own the tokens of their descriptors.
        return keepingMapping(withAttachment(std::move(memory),
                                             std::pair(std::move(tokens), *std::move(handles))));
    }

    SharedSession mSession;
    std::vector<rpc::Device::Client> mDevices{};
};

}  // namespace

rpc::Service::Client serviceFor(const SharedSession& session) {
    return kj::heap<ServiceServer>(session);
}

}  // namespace nn::service
