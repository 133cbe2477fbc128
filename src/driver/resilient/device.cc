#include <fmt/format.h>

#include <string_view>

#include "driver/resilient/parts.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/relocation.h"

namespace nn::hal::utils {
namespace {

using driver::Instance;
using driver::Recoverable;
using Identity = ResilientDevice::Parts::Identity;

Identity identityOf(const IDevice& device) {
    return {
            .name = device.getName(),
            .versionString = device.getVersionString(),
            .featureLevel = device.getFeatureLevel(),
            .type = device.getType(),
            .extensions = device.getSupportedExtensions(),
            .capabilities = device.getCapabilities(),
            .numberOfCacheFilesNeeded = device.getNumberOfCacheFilesNeeded(),
    };
}

// "the version string, which was '1' and is '2'"; empty if both are one device.
std::string change(const Identity& was, const Identity& is) {
    const auto say = [](std::string_view what, const auto& before, const auto& now) {
        return fmt::format("{}, which was {} and is {}", what, before, now);
    };
    const auto quoted = [](const std::string& text) { return fmt::format("'{}'", text); };
    if (was.name != is.name) return say("the name", quoted(was.name), quoted(is.name));
    if (was.versionString != is.versionString) {
        return say("the version string", quoted(was.versionString), quoted(is.versionString));
    }
    if (was.featureLevel != is.featureLevel) {
        return say("the feature level", featureLevel(was.featureLevel),
                   featureLevel(is.featureLevel));
    }
    if (was.type != is.type) return say("the type", toString(was.type), toString(is.type));
    if (was.extensions != is.extensions) return "other extensions";
    if (was.capabilities != is.capabilities) return "other capabilities";
    if (was.numberOfCacheFilesNeeded != is.numberOfCacheFilesNeeded) {
        const auto [models, data] = was.numberOfCacheFilesNeeded;
        const auto [modelsNow, dataNow] = is.numberOfCacheFilesNeeded;
        return say("the number of cache files", fmt::format("({}, {})", models, data),
                   fmt::format("({}, {})", modelsNow, dataNow));
    }
    return {};
}

Instance<IDevice> invalidDevice(const Identity& identity, const std::string& what) {
    return {.object = std::make_shared<const InvalidDevice>(
                    identity.name, identity.versionString, identity.featureLevel, identity.type,
                    identity.extensions, identity.capabilities, identity.numberOfCacheFilesNeeded,
                    fmt::format(
                            "the device '{}' has come back as another one, with {}; open it anew",
                            identity.name, what)),
            .isFinal = true};
}

const std::string& reasonOf(const Instance<IDevice>& invalid) {
    return static_cast<const InvalidDevice&>(*invalid.object).getReason();
}

using Prepare = std::function<GeneralResult<SharedPreparedModel>(const IDevice&)>;

GeneralResult<Instance<IPreparedModel>> prepareOnCurrent(const Recoverable<IDevice>& engine,
                                                         const Prepare& prepare,
                                                         const OptionalTimePoint& deadline) {
    return engine.protect(
            [&](const Instance<IDevice>& on) -> GeneralResult<Instance<IPreparedModel>> {
                if (on.isFinal) {
                    return Instance<IPreparedModel>{
                            .object = std::make_shared<const InvalidPreparedModel>(reasonOf(on)),
                            .isFinal = true};
                }
                auto prepared = prepare(*on.object);
                if (!prepared.has_value()) return prepared.status();
                return Instance<IPreparedModel>{
                        .object = *std::move(prepared), .parent = on.object, .device = on.object};
            },
            /*isBlocking=*/false, deadline);
}

// Prepares now, and with wrapResults again after each death. keep() returns the function for the
// later preparations; it is called after the first one has succeeded.
template <class Keep>
GeneralResult<SharedPreparedModel> prepared(const ResilientDevice::Parts& parts,
                                            const OptionalTimePoint& deadline,
                                            const Prepare& prepare, const Keep& keep) {
    auto first = prepareOnCurrent(*parts.engine, prepare, deadline);
    if (!first.has_value()) return first.status();
    if (!parts.options.wrapResults || first->isFinal) return first->object;
    first = driver::withObject(std::move(first));
    if (!first.has_value()) return first.status();

    Result<Prepare> again = keep();
    if (!again.ok()) return again.status();
    const auto make = [engine = parts.engine, again = *std::move(again)](
                              const Instance<IPreparedModel>&, bool) {
        return prepareOnCurrent(*engine, again, /*deadline=*/{});
    };
    return std::make_shared<const ResilientPreparedModel>(
            std::make_shared<const ResilientPreparedModel::Parts>(ResilientPreparedModel::Parts{
                    .engine = std::make_shared<const Recoverable<IPreparedModel>>(
                            *std::move(first), make, parts.options.recoveryTimeout),
                    .options = parts.options,
                    .buffers = parts.buffers,
            }));
}

// The argument of the device for one of the prepared models of an allocation: for a resilient one
// its inner prepared model, recovered first if that belongs to an earlier device.
GeneralResult<SharedPreparedModel> preparedModelOn(const Instance<IDevice>& device,
                                                   const driver::SharedBufferTable& buffers,
                                                   SharedPreparedModel model) {
    while (const auto* resilient = dynamic_cast<const ResilientPreparedModel*>(model.get())) {
        const ResilientPreparedModel::Parts& parts = resilient->parts();
        if (parts.buffers == nullptr) {
            model = resilient->getPreparedModel();
            continue;
        }
        if (parts.buffers != buffers) break;  // of another device, which that one may know
        GeneralResult<Instance<IPreparedModel>> made = parts.engine->current();
        if (!made->isFinal && made->device != device.object) {
            made = parts.engine->recover(made->object.get(), /*isBlocking=*/false);
            if (!made.has_value()) return made.status();
            if (made->device != device.object) {
                return error(ErrorStatus::DEAD_OBJECT)
                       << "the device has come back since, with the prepared model";
            }
        }
        return made->object;
    }
    return model;
}

// The arguments of an allocation.
struct Allocation {
    BufferDesc desc{};
    std::vector<SharedPreparedModel> preparedModels{};
    std::vector<BufferRole> inputRoles{};
    std::vector<BufferRole> outputRoles{};
};

GeneralResult<Instance<IBuffer>> allocateOnCurrent(const Recoverable<IDevice>& engine,
                                                   const driver::SharedBufferTable& buffers,
                                                   const Allocation& allocation) {
    return engine.protect([&](const Instance<IDevice>& on) -> GeneralResult<Instance<IBuffer>> {
        if (on.isFinal) {
            return Instance<IBuffer>{.object = std::make_shared<const InvalidBuffer>(reasonOf(on)),
                                     .isFinal = true};
        }
        std::vector<SharedPreparedModel> models;
        for (const SharedPreparedModel& model : allocation.preparedModels) {
            auto known = preparedModelOn(on, buffers, model);
            if (!known.has_value()) return known.status();
            models.push_back(*std::move(known));
        }
        auto buffer = on.object->allocate(allocation.desc, models, allocation.inputRoles,
                                          allocation.outputRoles);
        if (!buffer.has_value()) return buffer.status();
        return Instance<IBuffer>{
                .object = *std::move(buffer), .parent = on.object, .device = on.object};
    });
}

// An allocation that does not keep its prepared models alive, with their roles.
class KeptAllocation {
   public:
    explicit KeptAllocation(Allocation allocation) : mAllocation(std::move(allocation)) {
        for (const SharedPreparedModel& model : mAllocation.preparedModels) {
            mModels.emplace_back(model);
        }
        mAllocation.preparedModels.clear();
    }

    // For those that live still.
    Allocation living() const {
        Allocation living{.desc = mAllocation.desc};
        std::vector<std::optional<uint32_t>> indexes;
        for (const auto& weak : mModels) {
            SharedPreparedModel model = weak.lock();
            indexes.emplace_back();
            if (model == nullptr) continue;
            indexes.back() = static_cast<uint32_t>(living.preparedModels.size());
            living.preparedModels.push_back(std::move(model));
        }
        const auto keep = [&](const std::vector<BufferRole>& roles, std::vector<BufferRole>& kept) {
            for (BufferRole role : roles) {
                if (role.modelIndex >= indexes.size() || !indexes[role.modelIndex]) continue;
                role.modelIndex = *indexes[role.modelIndex];
                kept.push_back(role);
            }
        };
        keep(mAllocation.inputRoles, living.inputRoles);
        keep(mAllocation.outputRoles, living.outputRoles);
        return living;
    }

   private:
    Allocation mAllocation;
    std::vector<std::weak_ptr<const IPreparedModel>> mModels{};
};

}  // namespace

GeneralResult<std::shared_ptr<const ResilientDevice>> ResilientDevice::create(
        Factory makeDevice, ResilientOptions options) NNAPI_TRY {
    if (!makeDevice) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "the factory is empty, and a resilient device needs one";
    }
    auto device = driver::callFactory(makeDevice, /*blocking=*/true);
    if (!device.has_value()) return device.status();
    if (*device == nullptr) return error() << "a null object came without an error";

    const auto identity = std::make_shared<const Identity>(identityOf(**device));
    const auto make = [makeDevice = std::move(makeDevice), identity](
                              const Instance<IDevice>&,
                              bool isBlocking) -> GeneralResult<Instance<IDevice>> {
        auto again = driver::callFactory(makeDevice, isBlocking);
        if (!again.has_value()) return again.status();
        if (*again == nullptr) return Instance<IDevice>{};
        const std::string changed = change(*identity, identityOf(**again));
        if (!changed.empty()) return invalidDevice(*identity, changed);
        return Instance<IDevice>{.object = *std::move(again)};
    };
    const auto engine = std::make_shared<const Recoverable<IDevice>>(
            Instance<IDevice>{.object = *std::move(device)}, make, options.recoveryTimeout);
    return std::make_shared<const ResilientDevice>(std::make_shared<const Parts>(Parts{
            .engine = engine,
            .options = options,
            .identity = identity,
            .buffers = options.wrapResults ? std::make_shared<const driver::BufferTable>(engine)
                                           : nullptr,
    }));
}
NNAPI_CATCH

SharedDevice ResilientDevice::getDevice() const { return mParts->engine->current().object; }

GeneralResult<SharedDevice> ResilientDevice::recover(const IDevice* failingDevice,
                                                     bool blocking) const {
    return driver::objectOf(mParts->engine->recover(failingDevice, blocking));
}

const std::string& ResilientDevice::getName() const { return mParts->identity->name; }

const std::string& ResilientDevice::getVersionString() const {
    return mParts->identity->versionString;
}

Version ResilientDevice::getFeatureLevel() const { return getDevice()->getFeatureLevel(); }

DeviceType ResilientDevice::getType() const { return getDevice()->getType(); }

const std::vector<Extension>& ResilientDevice::getSupportedExtensions() const {
    return mParts->identity->extensions;
}

const Capabilities& ResilientDevice::getCapabilities() const {
    return mParts->identity->capabilities;
}

std::pair<uint32_t, uint32_t> ResilientDevice::getNumberOfCacheFilesNeeded() const {
    return getDevice()->getNumberOfCacheFilesNeeded();
}

GeneralResult<void> ResilientDevice::wait() const {
    return mParts->engine->protect([](const Instance<IDevice>& on) { return on.object->wait(); },
                                   /*isBlocking=*/true);
}

GeneralResult<std::vector<bool>> ResilientDevice::getSupportedOperations(const Model& model) const {
    return mParts->engine->protect(
            [&](const Instance<IDevice>& on) { return on.object->getSupportedOperations(model); });
}

GeneralResult<SharedPreparedModel> ResilientDevice::prepareModel(
        const Model& model, ExecutionPreference preference, Priority priority,
        OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
        const std::vector<SharedHandle>& dataCache, const CacheToken& token,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const NNAPI_TRY {
    const auto now = [&](const IDevice& device) {
        return device.prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                   token, hints, extensionNameToPrefix);
    };
    const auto keep = [&]() -> Result<Prepare> {
        const auto kept = std::make_shared<Model>(model);
        // Data behind pointers belongs to the caller, and may no longer exist at the next
        // preparation.
        NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(kept.get()));
        return [=](const IDevice& device) {
            return device.prepareModel(*kept, preference, priority, {}, modelCache, dataCache,
                                       token, hints, extensionNameToPrefix);
        };
    };
    return prepared(*mParts, deadline, now, keep);
}
NNAPI_CATCH

GeneralResult<SharedPreparedModel> ResilientDevice::prepareModelFromCache(
        OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
        const std::vector<SharedHandle>& dataCache, const CacheToken& token) const NNAPI_TRY {
    const auto now = [&](const IDevice& device) {
        return device.prepareModelFromCache(deadline, modelCache, dataCache, token);
    };
    const auto keep = [&]() -> Result<Prepare> {
        return [=](const IDevice& device) {
            return device.prepareModelFromCache({}, modelCache, dataCache, token);
        };
    };
    return prepared(*mParts, deadline, now, keep);
}
NNAPI_CATCH

GeneralResult<SharedBuffer> ResilientDevice::allocate(
        const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
        const std::vector<BufferRole>& inputRoles,
        const std::vector<BufferRole>& outputRoles) const NNAPI_TRY {
    const Allocation allocation{desc, preparedModels, inputRoles, outputRoles};
    auto first = allocateOnCurrent(*mParts->engine, mParts->buffers, allocation);
    if (!first.has_value()) return first.status();
    if (!mParts->options.wrapResults || first->isFinal) return first->object;
    first = driver::withObject(std::move(first));
    if (!first.has_value()) return first.status();

    const auto make = [engine = mParts->engine, buffers = mParts->buffers,
                       kept = KeptAllocation(allocation)](const Instance<IBuffer>&, bool) {
        return allocateOnCurrent(*engine, buffers, kept.living());
    };
    const auto engine = std::make_shared<const Recoverable<IBuffer>>(
            *std::move(first), make, mParts->options.recoveryTimeout);
    return std::make_shared<const ResilientBuffer>(
            std::make_shared<const ResilientBuffer::Parts>(ResilientBuffer::Parts{
                    .engine = engine,
                    .registration =
                            std::make_shared<const driver::Registration>(mParts->buffers, engine),
            }));
}
NNAPI_CATCH

}  // namespace nn::hal::utils
