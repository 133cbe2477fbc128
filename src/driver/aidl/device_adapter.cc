#include <algorithm>
#include <optional>

#include "driver/aidl/adapter.h"

namespace nn::hal::adapter {
namespace {

using aidl_hal::IPreparedModelCallback;
using Files = std::vector<ScopedFileDescriptor>;
using SharedCallback = std::shared_ptr<IPreparedModelCallback>;

// Notifies the callback if there is one; returns the status that it was given. A client that is
// gone is not a failure.
ScopedAStatus notify(const SharedContext& context, std::string_view call,
                     const SharedCallback& callback, GeneralResult<SharedPreparedModel> result,
                     const driver::SharedOutputSignatures& outputs = {}) {
    const Status why = result.status();
    using Made = std::shared_ptr<aidl_hal::IPreparedModel>;
    const auto [code, preparedModel] =
            offer<Made>(std::move(result), [&](SharedPreparedModel prepared) {
                return ndk::SharedRefBase::make<AidlPreparedModelAdapter>(
                        context, std::move(prepared), outputs);
            });
    CallLosses losses(*context, call);
    const auto status = statusIn<aidl_hal::ErrorStatus>(context->version, code, losses);
    losses.report();
    if (callback != nullptr) {
        ignoreExceptions([&, &model = preparedModel] { (void)callback->notify(status, model); });
    }
    return scopedStatusOf(status, why);
}

// Reads the arguments with read(), a GeneralResult of a preparation, and prepares on the executor.
template <class Read>
ScopedAStatus launchPreparation(const SharedContext& context, const SharedDevice& device,
                                std::string_view call, const SharedCallback& callback,
                                const Read& read) {
    driver::SharedOutputSignatures outputs;
    auto preparation = contain([&] {
        using Arguments = decltype(read());
        if (callback == nullptr) {
            return Arguments(error(ErrorStatus::INVALID_ARGUMENT) << "the callback is null");
        }
        Arguments arguments = read();
        if (arguments.has_value()) outputs = arguments->outputs();
        return arguments;
    });
    if (!preparation.has_value()) {
        return notify(context, call, callback, blameClient(preparation.status()));
    }
    const bool isLaunched =
            launchOn(device, *context, call, *std::move(preparation),
                     [context, call, callback,
                      outputs = std::move(outputs)](GeneralResult<SharedPreparedModel> result) {
                         (void)notify(context, call, callback, std::move(result), outputs);
                     });
    if (isLaunched) return ScopedAStatus::ok();
    return scopedStatusOf(aidl_hal::ErrorStatus::GENERAL_FAILURE,
                          error() << "the executor refuses the preparation");
}

class AidlDeviceAdapter final : public Offered<aidl_hal::IDevice> {
   public:
    AidlDeviceAdapter(SharedContext context, SharedDevice device)
        : Offered(std::move(context)), mDevice(std::move(device)) {}

    // ---- properties

    ScopedAStatus getCapabilities(aidl_hal::Capabilities* capabilities) override {
        return returnConverted(
                "getCapabilities",
                capabilities, [&]() -> auto& { return mDevice->getCapabilities(); });
    }
    ScopedAStatus getNumberOfCacheFilesNeeded(aidl_hal::NumberOfCacheFiles* files) override {
        return returnConverted("getNumberOfCacheFilesNeeded", files,
                               [&] { return mDevice->getNumberOfCacheFilesNeeded(); });
    }
    ScopedAStatus getSupportedExtensions(std::vector<aidl_hal::Extension>* extensions) override {
        return returnConverted(
                "getSupportedExtensions",
                extensions, [&]() -> auto& { return mDevice->getSupportedExtensions(); });
    }
    ScopedAStatus getType(aidl_hal::DeviceType* type) override {
        return returnConverted("getType", type, [&] { return mDevice->getType(); });
    }
    ScopedAStatus getVersionString(std::string* version) override {
        return returnResult(
                *mContext, "getVersionString", version,
                [&](Losses*) -> GeneralResult<std::string> { return mDevice->getVersionString(); });
    }

    // ---- supported operations

    ScopedAStatus getSupportedOperations(const aidl_hal::Model& model,
                                         std::vector<bool>* supported) override {
        using Hal = std::vector<bool>;
        return returnResult(*mContext, "getSupportedOperations", supported,
                            [&](Losses*) -> GeneralResult<Hal> {
                                const auto canonical = read(model);
                                if (!canonical.ok()) return blameClient(canonical.status());
                                return supportedOperations(*mDevice, *canonical, mContext->version);
                            });
    }

    // ---- preparations

    ScopedAStatus prepareModel(const aidl_hal::Model& model,
                               aidl_hal::ExecutionPreference preference,
                               aidl_hal::Priority priority, int64_t deadlineNs,
                               const Files& modelCache, const Files& dataCache,
                               const std::vector<uint8_t>& token,
                               const SharedCallback& callback) override {
        return prepare("prepareModel", model, preference, priority, deadlineNs, modelCache,
                       dataCache, token, {}, {}, callback);
    }
    ScopedAStatus prepareModelWithConfig(const aidl_hal::Model& model,
                                         const aidl_hal::PrepareModelConfig& config,
                                         const SharedCallback& callback) override {
        if (!hasConfigs()) return unknownMethod();
        const std::vector<uint8_t> token(config.cacheToken.begin(), config.cacheToken.end());
        return prepare("prepareModelWithConfig", model, config.preference, config.priority,
                       config.deadlineNs, config.modelCache, config.dataCache, token,
                       config.compilationHints, config.extensionNameToPrefix, callback);
    }
    ScopedAStatus prepareModelFromCache(int64_t deadlineNs, const Files& modelCache,
                                        const Files& dataCache, const std::vector<uint8_t>& token,
                                        const SharedCallback& callback) override {
        constexpr std::string_view kCall = "prepareModelFromCache";
        const auto arguments = [&]() -> GeneralResult<CachedPreparation> {
            NNAPI_ASSIGN_OR_RETURN(deadline, readDeadline(deadlineNs));
            NNAPI_ASSIGN_OR_RETURN(files, readFiles(modelCache));
            NNAPI_ASSIGN_OR_RETURN(data, readFiles(dataCache));
            NNAPI_ASSIGN_OR_RETURN(cacheToken, convertAs<CacheToken>(token));
            return CachedPreparation{deadline, {std::move(files), std::move(data), cacheToken}};
        };
        return launchPreparation(mContext, mDevice, kCall, callback, arguments);
    }

    // ---- memory

    ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                           const std::vector<aidl_hal::IPreparedModelParcel>& preparedModels,
                           const std::vector<aidl_hal::BufferRole>& inputRoles,
                           const std::vector<aidl_hal::BufferRole>& outputRoles,
                           aidl_hal::DeviceBuffer* buffer) override {
        using Hal = aidl_hal::DeviceBuffer;
        return returnResult(*mContext, "allocate", buffer, [&](Losses*) -> GeneralResult<Hal> {
            const auto arguments = contain([&] {
                return readAllocation<AidlPreparedModelAdapter>(
                        desc, preparedModels, inputRoles, outputRoles, mContext->preparedModels,
                        [](const auto& each) { return each.preparedModel.get(); });
            });
            if (!arguments.has_value()) return blameClient(arguments.status());
            NNAPI_ASSIGN_OR_RETURN(made, arguments->on(*mDevice));
            const auto token = static_cast<uint32_t>(made->getToken());
            if (!std::in_range<int32_t>(token)) {
                return error() << "the device gave a buffer with token " << token
                               << ", allowed 1 to " << INT32_MAX;
            }
            return Hal{.buffer = ndk::SharedRefBase::make<AidlBufferAdapter>(mContext,
                                                                             std::move(made)),
                       .token = static_cast<int32_t>(token)};
        });
    }

   private:
    // Returns get() of the device, converted.
    template <class Hal, class Get>
    ScopedAStatus returnConverted(std::string_view call, Hal* to, const Get& get) const {
        return returnResult(*mContext, call, to, [&](Losses* losses) -> GeneralResult<Hal> {
            auto converted = convertTo<HalVersion::AIDL4>(get(), losses);
            if (!converted.ok()) return blameDevice(converted.status());
            return *std::move(converted);
        });
    }

    // Converts a model and validates it for this version.
    Result<Model> read(const aidl_hal::Model& model) const {
        NNAPI_ASSIGN_OR_RETURN(canonical, unvalidatedConvert(model));
        NNAPI_RETURN_IF_ERROR(validateFor(canonical, toVersion(mContext->version)));
        return canonical;
    }

    ScopedAStatus prepare(std::string_view call, const aidl_hal::Model& model,
                          aidl_hal::ExecutionPreference halPreference,
                          aidl_hal::Priority halPriority, int64_t deadlineNs,
                          const Files& modelCache, const Files& dataCache,
                          const std::vector<uint8_t>& halToken,
                          const std::vector<aidl_hal::TokenValuePair>& halHints,
                          const std::vector<aidl_hal::ExtensionNameAndPrefix>& names,
                          const SharedCallback& callback) const {
        return launchPreparation(
                mContext, mDevice, call, callback, [&]() -> GeneralResult<Preparation> {
                    NNAPI_ASSIGN_OR_RETURN(canonical, read(model));
                    NNAPI_ASSIGN_OR_RETURN(preference, convert(halPreference));
                    NNAPI_ASSIGN_OR_RETURN(priority, convert(halPriority));
                    NNAPI_ASSIGN_OR_RETURN(deadline, readDeadline(deadlineNs));
                    NNAPI_ASSIGN_OR_RETURN(token, convertAs<CacheToken>(halToken));
                    NNAPI_ASSIGN_OR_RETURN(hints, convert(halHints));
                    NNAPI_ASSIGN_OR_RETURN(extensionNameToPrefix, convert(names));
                    CallLosses losses(*mContext, call);
                    Cache cache = readCache(modelCache, dataCache, token, losses);
                    losses.report();
                    return Preparation{.model = std::move(canonical),
                                       .preference = preference,
                                       .priority = priority,
                                       .deadline = deadline,
                                       .cache = std::move(cache),
                                       .hints = std::move(hints),
                                       .extensionNameToPrefix = std::move(extensionNameToPrefix)};
                });
    }

    const SharedDevice mDevice;
};

// The oldest version that an object can have.
constexpr HalVersion kOldest = static_cast<HalVersion>(static_cast<int>(HalVersion::AIDL1) +
                                                       AidlObject<aidl_hal::IDevice>::kOldest - 1);

// The AIDL version that corresponds to the device's feature level; the oldest for older devices.
HalVersion versionOf(const IDevice& device) {
    const auto level = device.getFeatureLevel().level;
    HalVersion version = kOldest;
    for (const HalVersion each : kHalVersions) {
        if (each > version && toVersion(each).level <= level) version = each;
    }
    return version;
}

}  // namespace
}  // namespace nn::hal::adapter

namespace nn::hal {
namespace adapter NNAPI_BINDING {

GeneralResult<std::shared_ptr<aidl_hal::IDevice>> adaptAidl(SharedDevice device,
                                                            std::optional<HalVersion> asked,
                                                            AdaptOptions options) {
    if (device == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the device is null";
    const HalVersion version = asked ? *asked : versionOf(*device);
    const HalVersionInfo* info = halVersionInfo(version);
    if (info == nullptr || version < kOldest) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "the version is " << (info == nullptr ? "none" : info->title) << ", allowed "
               << (kOldest == HalVersion::AIDL4 ? "AIDL 4" : "AIDL 1 to AIDL 4");
    }
    NNAPI_ASSIGN_OR_RETURN(context, makeContext(device, std::move(options)));
    context->version = version;
    return contain([&]() -> GeneralResult<std::shared_ptr<aidl_hal::IDevice>> {
        return std::shared_ptr<aidl_hal::IDevice>(
                ndk::SharedRefBase::make<AidlDeviceAdapter>(std::move(context), std::move(device)));
    });
}

}  // namespace NNAPI_BINDING
}  // namespace nn::hal
