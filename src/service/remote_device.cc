#include <algorithm>
#include <thread>
#include <utility>

#include "nnapi/io.h"
#include "nnapi/relocation.h"
#include "service/remote.h"
#include "types/no_throw.h"
#include "types/printable.h"

namespace nn::service {
namespace {

unsigned count(size_t size) { return static_cast<unsigned>(size); }

bool hasPointers(const Model& model) {
    const auto hasAny = [](const Model::Subgraph& graph) {
        return std::any_of(graph.operands.begin(), graph.operands.end(),
                           [](const Operand& operand) {
                               return operand.lifetime == Operand::LifeTime::POINTER;
                           });
    };
    return hasAny(model.main) ||
           std::any_of(model.referenced.begin(), model.referenced.end(), hasAny);
}

// A model as it travels: a message, and pools that are shared.
struct OutgoingModel {
    std::string message{};
    std::vector<SharedMemory> pools{};

    static Result<std::shared_ptr<const OutgoingModel>> make(const Model& model) {
        Model rest = model;
        if (hasPointers(model)) NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(&rest));
        auto made = std::make_shared<OutgoingModel>();
        made->pools = std::exchange(rest.pools, {});
        auto message = serializeModel(std::move(rest), Format::BINARY);
        // Text that is not UTF-8, for one.
        if (!message.ok())
            return makeError(ErrorStatus::INVALID_ARGUMENT, messageOf(message.status()));
        made->message = *std::move(message);
        return std::shared_ptr<const OutgoingModel>(std::move(made));
    }

    void write(Connection::State& state, rpc::Model::Builder to) const {
        to.setMessage(bytesOf(message));
        auto list = to.initPools(count(pools.size()));
        for (unsigned i = 0; i < list.size(); ++i) {
            if (pools[i] != nullptr) list[i].setMemory(state.share(pools[i]));
        }
    }
};

struct Cache {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    CacheToken token{};

    Status check() const {
        if (model.size() + data.size() <= 2 * kMaxNumberOfCacheFiles) return {};
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "there are " << model.size() + data.size() << " cache files, allowed at most "
               << 2 * kMaxNumberOfCacheFiles;
    }

    void write(rpc::Cache::Builder to) const {
        write(model, to.initModel(count(model.size())));
        write(data, to.initData(count(data.size())));
        to.setToken(bytesOf(token));
    }

   private:
    static void write(const std::vector<SharedHandle>& handles,
                      capnp::List<rpc::Descriptor>::Builder to) {
        for (unsigned i = 0; i < to.size(); ++i) {
            if (handles[i] == nullptr) continue;
            to.set(i, kj::heap<DescriptorServer>(handles[i]->get()));
        }
    }
};

class RemoteDevice final : public IDevice {
   public:
    RemoteDevice(Held held, DeviceInfo info) : mHeld(std::move(held)), mInfo(std::move(info)) {}

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
        return mHeld.connection().call<GeneralResult<void>>(
                "wait", {}, [held = mHeld](Connection::State& state) {
                    return state.held<rpc::Device>(held.id()).waitRequest().send().then(
                            [](auto&& answer) {
                                return GeneralResult<void>(statusOf(answer.getFailure()));
                            });
                });
    }
    NNAPI_CATCH

    GeneralResult<std::vector<bool>> getSupportedOperations(
            const Model& model) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(outgoing, OutgoingModel::make(model));
        auto supported = mHeld.connection().call<GeneralResult<std::vector<bool>>>(
                "getSupportedOperations", {}, [held = mHeld, outgoing](Connection::State& state) {
                    auto request = state.held<rpc::Device>(held.id()).supportedOperationsRequest();
                    outgoing->write(state, request.initModel());
                    return request.send().then(
                            [](auto&& answer) -> GeneralResult<std::vector<bool>> {
                                NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                                return numbersOf<bool>(answer.getSupported());
                            });
                });
        const size_t operations = model.main.operations.size();
        if (supported.has_value() && supported->size() != operations) {
            return error() << "the server answers for " << supported->size()
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
        const Cache cache{modelCache, dataCache, token};
        const bool hasCache = cache.check().ok();  // what is wrong with it never makes this fail
        auto signatures =
                std::make_shared<const std::vector<driver::OutputSignature>>(signaturesOf(model));
        return mHeld.connection().call<GeneralResult<SharedPreparedModel>>(
                "prepareModel", deadline, [=, held = mHeld](Connection::State& state) {
                    auto request = state.held<rpc::Device>(held.id()).prepareModelRequest();
                    outgoing->write(state, request.initModel());
                    request.setPreference(static_cast<int32_t>(preference));
                    request.setPriority(static_cast<int32_t>(priority));
                    writeDeadline(deadline, request.initDeadline());
                    if (hasCache) cache.write(request.initCache());
                    write(hints, request.initHints(count(hints.size())));
                    write(extensionNameToPrefix,
                          request.initPrefixes(count(extensionNameToPrefix.size())));
                    return preparedBy(state, held, request, signatures);
                });
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache,
            const CacheToken& token) const override NNAPI_TRY {
        const Cache cache{modelCache, dataCache, token};
        NNAPI_RETURN_IF_ERROR(cache.check());
        return mHeld.connection().call<GeneralResult<SharedPreparedModel>>(
                "prepareModelFromCache", deadline, [=, held = mHeld](Connection::State& state) {
                    auto request =
                            state.held<rpc::Device>(held.id()).prepareModelFromCacheRequest();
                    writeDeadline(deadline, request.initDeadline());
                    cache.write(request.initCache());
                    return preparedBy(state, held, request, nullptr);
                });
    }
    NNAPI_CATCH

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override NNAPI_TRY {
        std::vector<Held> models;
        for (const SharedPreparedModel& preparedModel : preparedModels) {
            auto model = heldOf(preparedModel, mHeld.connection());
            if (!model) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << models.size() << "] is "
                       << (preparedModel == nullptr ? "null" : "of another device");
            }
            models.push_back(*std::move(model));
        }
        return mHeld.connection().call<GeneralResult<SharedBuffer>>(
                "allocate", {}, [=, held = mHeld](Connection::State& state) {
                    auto request = state.held<rpc::Device>(held.id()).allocateRequest();
                    writeNumbers(request.initDimensions(count(desc.dimensions.size())),
                                 desc.dimensions);
                    auto list = request.initPreparedModels(count(models.size()));
                    for (unsigned i = 0; i < list.size(); ++i) {
                        list.set(i, state.held<rpc::PreparedModel>(models[i].id()));
                    }
                    write(inputRoles, request.initInputRoles(count(inputRoles.size())));
                    write(outputRoles, request.initOutputRoles(count(outputRoles.size())));
                    return request.send().then(
                            [&state, held](auto&& answer) -> GeneralResult<SharedBuffer> {
                                NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                                if (!answer.hasBuffer() || answer.getToken() == 0) {
                                    return error() << "the server answers success without a buffer";
                                }
                                return SharedBuffer(std::make_shared<const RemoteBuffer>(
                                        Held(held.shared(), state.hold(answer.getBuffer())),
                                        Request::MemoryDomainToken{answer.getToken()}));
                            });
                });
    }
    NNAPI_CATCH

   private:
    // Of a model that the server will refuse, none.
    static std::vector<driver::OutputSignature> signaturesOf(const Model& model) {
        const auto isInside = [&](uint32_t index) { return index < model.main.operands.size(); };
        if (!std::all_of(model.main.outputIndexes.begin(), model.main.outputIndexes.end(),
                         isInside)) {
            return {};
        }
        return driver::outputSignatures(model);
    }

    template <class Call>
    static kj::Promise<GeneralResult<SharedPreparedModel>> preparedBy(
            Connection::State& state, const Held& held, Call& request,
            SharedOutputSignatures signatures) {
        return request.send().then([&state, held, signatures = std::move(signatures)](
                                           auto&& answer) -> GeneralResult<SharedPreparedModel> {
            NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
            if (!answer.hasPreparedModel()) {
                return error() << "the server answers success without a prepared model";
            }
            return remotePreparedModel(Held(held.shared(), state.hold(answer.getPreparedModel())),
                                       signatures);
        });
    }

    Held mHeld;
    DeviceInfo mInfo;
};

// What a server has.
struct Named {
    DeviceInfo info;
    Held held;
};

GeneralResult<std::vector<SharedDevice>> open(const Address& address,
                                              const ClientOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(connection, Connection::open(address, options));
    auto found = connection->call<GeneralResult<std::vector<Named>>>(
            "connect", makeDeadline(options.connectTimeout),
            [connection](Connection::State& state) {
                return state.service().devicesRequest().send().then(
                        [&state, connection](auto&& answer) -> GeneralResult<std::vector<Named>> {
                            std::vector<Named> devices;
                            for (const auto device : answer.getDevices()) {
                                NNAPI_ASSIGN_OR_RETURN(info, deviceInfoOf(device.getInfo()));
                                devices.push_back(
                                        {std::move(info),
                                         Held(connection, state.hold(device.getDevice()))});
                            }
                            return devices;
                        });
            });
    if (!found.has_value()) {
        // A server that turns a client away closes the connection.
        return error(ErrorStatus::DEVICE_UNAVAILABLE)
               << kUnixScheme << printable(address.path) << ": " << found.error().message;
    }
    std::vector<SharedDevice> devices;
    for (Named& named : *found) {
        if (!address.device.empty() && named.info.name != address.device) continue;
        devices.push_back(
                std::make_shared<const RemoteDevice>(std::move(named.held), std::move(named.info)));
    }
    return devices;
}

}  // namespace

bool isAddress(std::string_view text) { return text.starts_with(kUnixScheme); }

GeneralResult<std::vector<SharedDevice>> connectAll(std::string_view address,
                                                    const ClientOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(parsed, parseAddress(address));
    return open(parsed, options);
}
NNAPI_CATCH

GeneralResult<SharedDevice> connect(std::string_view address,
                                    const ClientOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(parsed, parseAddress(address));
    NNAPI_ASSIGN_OR_RETURN(devices, open(parsed, options));
    if (devices.size() == 1) return devices[0];
    if (!parsed.device.empty()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << kUnixScheme << printable(parsed.path) << " has no device "
               << printable(parsed.device);
    }
    std::string names;
    for (const SharedDevice& device : devices) {
        names += (names.empty() ? "" : ", ") + printable(device->getName());
    }
    return error(ErrorStatus::INVALID_ARGUMENT)
           << kUnixScheme << printable(parsed.path) << " has " << devices.size()
           << " devices, say which with #NAME; it has " << names;
}
NNAPI_CATCH

hal::utils::ResilientDevice::Factory reconnecting(std::string address, ClientOptions options,
                                                  Duration wait) {
    return [address = std::move(address), options,
            wait](bool blocking) -> GeneralResult<SharedDevice> {
        const TimePoint until = makeDeadline(wait);
        while (true) {
            auto device = connect(address, options);
            const bool isFinal =
                    device.has_value() || device.error().code != ErrorStatus::DEVICE_UNAVAILABLE;
            if (isFinal || !blocking || Clock::now() >= until) return device;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    };
}

}  // namespace nn::service
