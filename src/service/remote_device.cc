// Client-side devices.
#include <utility>

#include "base/no_throw.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/relocation.h"
#include "service/chunked_transfer.h"
#include "service/remote.h"
#include "service/remote_cache.h"
#include "transform/pointers.h"

namespace nn::service {
namespace {

// The ranges of each pool that hold constants.
std::vector<std::vector<Range>> constantsOf(const Model& model, size_t pools) {
    std::vector<std::vector<Range>> ranges(pools);
    const auto add = [&](const Model::Subgraph& graph) {
        for (const Operand& operand : graph.operands) {
            const DataLocation& at = operand.location;
            if (operand.lifetime != Operand::LifeTime::CONSTANT_REFERENCE) continue;
            if (at.poolIndex >= pools) continue;
            ranges[at.poolIndex].push_back({at.offset, uint64_t{at.length} + at.padding});
        }
    };
    add(model.main);
    for (const Model::Subgraph& graph : model.referenced) add(graph);
    return ranges;
}

// Larger constants travel in shared memory, since messages are limited.
constexpr size_t kMaxInlineValueBytes = size_t{1} << 20;

// A model as sent: a message, and shared memories.
struct OutgoingModel {
    std::string message{};
    std::vector<SharedMemory> pools{};
    std::vector<std::vector<Range>> ranges{};  // ranges of constants, by pool
    SharedMemory values{};

    static Result<std::shared_ptr<const OutgoingModel>> make(const Model& model) {
        auto made = std::make_shared<OutgoingModel>();
        Model rest{.main = model.main,
                   .referenced = model.referenced,
                   .operandValues = {},
                   .pools = model.pools,
                   .relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16,
                   .extensionNameToPrefix = model.extensionNameToPrefix};
        const auto& values = model.operandValues.bytes();
        if (values.size() <= kMaxInlineValueBytes) {
            rest.operandValues = model.operandValues;
        } else {
            NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(values.size()));
            NNAPI_RETURN_IF_ERROR(writeMemory(memory, 0, values));
            made->values = std::move(memory);
        }
        if (hasPointers(model)) NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(&rest));
        made->pools = std::exchange(rest.pools, {});
        made->ranges = constantsOf(rest, made->pools.size());
        auto message = serializeModel(std::move(rest), Format::BINARY);
        // Text that is not UTF-8, for example.
        if (!message.ok())
            return makeError(ErrorStatus::INVALID_ARGUMENT, messageOf(message.status()));
        made->message = *std::move(message);
        return std::shared_ptr<const OutgoingModel>(std::move(made));
    }

    // Uploads the constants, if descriptors cannot reach the server.
    GeneralResult<void> sendConstants(const Connection& connection,
                                      const OptionalTimePoint& deadline) const {
        if (!connection.isRemote()) return {};
        for (size_t i = 0; i < pools.size(); ++i) {
            if (pools[i] == nullptr) continue;
            NNAPI_RETURN_IF_ERROR(upload(connection, pools[i], ranges[i], deadline).status());
        }
        if (values == nullptr) return {};
        return upload(connection, values, {wholeOf(*values)}, deadline);
    }

    void write(Connection::State& state, rpc::Model::Builder to) const {
        to.setMessage(bytesOf(message));
        auto list = to.initPools(count(pools.size()));
        for (unsigned i = 0; i < list.size(); ++i) {
            if (pools[i] != nullptr) list[i].setMemory(state.share(pools[i]));
        }
        if (values != nullptr) to.setValues(state.share(values));
    }
};

class RemoteDevice final : public IDevice {
    using Prepared = GeneralResult<SharedPreparedModel>;

   public:
    RemoteDevice(RemoteObject object, DeviceInfo info)
        : mObject(std::move(object)), mInfo(std::move(info)) {}

    const std::string& getName() const override { return mInfo.name; }
    const std::string& getVersionString() const override { return mInfo.versionString; }
    Version getFeatureLevel() const override { return mInfo.featureLevel; }
    DeviceType getType() const override { return mInfo.type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mInfo.extensions;
    }
    const Capabilities& getCapabilities() const override { return mInfo.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mInfo.cacheFiles;
    }

    GeneralResult<void> wait() const override NNAPI_TRY {
        return mObject.connection().call<GeneralResult<void>>(
                "wait", {}, [object = mObject](Connection::State& state) {
                    return state.capability<rpc::Device>(object.id())
                            .waitRequest()
                            .send()
                            .then([](auto&& reply) {
                                return GeneralResult<void>(statusOf(reply.getFailure()));
                            });
                });
    }
    NNAPI_CATCH

    GeneralResult<std::vector<bool>> getSupportedOperations(
            const Model& model) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(outgoing, OutgoingModel::make(model));
        NNAPI_RETURN_IF_ERROR(outgoing->sendConstants(mObject.connection(), {}).status());
        auto supported = mObject.connection().call<GeneralResult<std::vector<bool>>>(
                "getSupportedOperations", {},
                [object = mObject, outgoing](Connection::State& state) {
                    auto request =
                            state.capability<rpc::Device>(object.id()).supportedOperationsRequest();
                    outgoing->write(state, request.initModel());
                    return sendWithinBounds(request).then(
                            [](auto&& reply) -> GeneralResult<std::vector<bool>> {
                                NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                                return numbersOf<bool>(reply.getSupported());
                            });
                });
        const size_t operations = model.main.operations.size();
        if (supported.has_value() && supported->size() != operations) {
            return error() << "the server returns results for " << supported->size()
                           << " operations, allowed " << operations << ", those of the main graph";
        }
        return supported;
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(outgoing, OutgoingModel::make(model));
        NNAPI_RETURN_IF_ERROR(outgoing->sendConstants(mObject.connection(), deadline).status());
        RemoteCache cache{.model = modelCache, .data = dataCache, .token = token};
        // A bad cache never makes this fail.
        const bool hasCache =
                cache.check().ok() &&
                cache.makeRemote(mObject.sharedConnection(), /*hasContents=*/false, deadline).ok();
        auto signatures = std::make_shared<const std::vector<driver::OutputSignature>>(
                driver::outputSignatures(model));
        return mObject.connection().call<GeneralResult<SharedPreparedModel>>(
                "prepareModel", deadline, [=, object = mObject](Connection::State& state) {
                    auto request = state.capability<rpc::Device>(object.id()).prepareModelRequest();
                    outgoing->write(state, request.initModel());
                    request.setPreference(static_cast<int32_t>(preference));
                    request.setPriority(static_cast<int32_t>(priority));
                    writeDeadline(deadline, request.initDeadline());
                    if (hasCache) cache.write(state, request.initCache());
                    write(hints, request.initHints(count(hints.size())));
                    write(extensionNameToPrefix,
                          request.initPrefixes(count(extensionNameToPrefix.size())));
                    auto prepared = preparedBy(state, object, request, signatures);
                    if (cache.remote.empty()) return prepared;
                    return prepared.then([&state, object, cache](Prepared&& made) mutable {
                        if (!made.has_value()) return kj::Promise<Prepared>(std::move(made));
                        return saveCacheFiles(state, cache.remote, cache.files(),
                                              object.connection().options().cacheFileBytes)
                                .then([made = std::move(made)]() mutable {
                                    return std::move(made);
                                });
                    });
                });
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache,
            const CacheToken& token) const override NNAPI_TRY {
        RemoteCache cache{.model = modelCache, .data = dataCache, .token = token};
        NNAPI_RETURN_IF_ERROR(cache.check());
        NNAPI_RETURN_IF_ERROR(
                cache.makeRemote(mObject.sharedConnection(), /*hasContents=*/true, deadline));
        return mObject.connection().call<GeneralResult<SharedPreparedModel>>(
                "prepareModelFromCache", deadline, [=, object = mObject](Connection::State& state) {
                    auto request = state.capability<rpc::Device>(object.id())
                                           .prepareModelFromCacheRequest();
                    writeDeadline(deadline, request.initDeadline());
                    cache.write(state, request.initCache());
                    return preparedBy(state, object, request, nullptr);
                });
    }
    NNAPI_CATCH

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override NNAPI_TRY {
        std::vector<RemoteObject> models;
        for (const SharedPreparedModel& preparedModel : preparedModels) {
            auto model = remoteObjectOf(preparedModel, mObject.connection());
            if (!model) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << models.size() << "] is "
                       << (preparedModel == nullptr ? "null" : "of another device");
            }
            models.push_back(*std::move(model));
        }
        return mObject.connection().call<GeneralResult<SharedBuffer>>(
                "allocate", {}, [=, object = mObject](Connection::State& state) {
                    auto request = state.capability<rpc::Device>(object.id()).allocateRequest();
                    writeNumbers(request.initDimensions(count(desc.dimensions.size())),
                                 desc.dimensions);
                    auto list = request.initPreparedModels(count(models.size()));
                    for (unsigned i = 0; i < list.size(); ++i) {
                        list.set(i, state.capability<rpc::PreparedModel>(models[i].id()));
                    }
                    write(inputRoles, request.initInputRoles(count(inputRoles.size())));
                    write(outputRoles, request.initOutputRoles(count(outputRoles.size())));
                    return sendWithinBounds(request).then(
                            [&state, object](auto&& reply) -> GeneralResult<SharedBuffer> {
                                NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                                if (!reply.hasBuffer() || reply.getToken() == 0) {
                                    return error() << "the server reports success without a buffer";
                                }
                                return SharedBuffer(std::make_shared<const RemoteBuffer>(
                                        RemoteObject(object.sharedConnection(),
                                                     state.retain(reply.getBuffer())),
                                        Request::MemoryDomainToken{reply.getToken()}));
                            });
                });
    }
    NNAPI_CATCH

   private:
    template <class Call>
    static kj::Promise<GeneralResult<SharedPreparedModel>> preparedBy(
            Connection::State& state, const RemoteObject& object, Call& request,
            SharedOutputSignatures signatures) {
        return sendWithinBounds(request).then(
                [&state, object, signatures = std::move(signatures)](
                        auto&& reply) -> GeneralResult<SharedPreparedModel> {
                    NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                    if (!reply.hasPreparedModel()) {
                        return error() << "the server reports success without a prepared model";
                    }
                    return remotePreparedModel(RemoteObject(object.sharedConnection(),
                                                            state.retain(reply.getPreparedModel())),
                                               signatures);
                });
    }

    RemoteObject mObject;
    DeviceInfo mInfo;
};

}  // namespace

SharedDevice remoteDevice(RemoteObject object, DeviceInfo info) {
    return std::make_shared<const RemoteDevice>(std::move(object), std::move(info));
}

}  // namespace nn::service
