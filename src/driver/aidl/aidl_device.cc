#include "driver/aidl/aidl_device.h"

#include <algorithm>

#include "driver/aidl/aidl_buffer.h"

namespace nn::driver {

using aidl::ask;
using aidl::failureOf;
using hal::utils::AidlPreparedModelCallback;

namespace {

const aidl_hal::Model& modelOf(const HalModel& model) { return std::get<AidlModel>(model).model; }

}  // namespace

Status AidlDevice::ping() const {
    const auto binder = mDriver->asBinder();
    return failureOf(ndk::ScopedAStatus::fromStatus(AIBinder_ping(binder.get())), "ping");
}

Result<Capabilities> AidlDevice::getCapabilities() const {
    NNAPI_ASSIGN_OR_RETURN(capabilities,
                           (ask<aidl_hal::Capabilities>("getCapabilities", [&](auto* result) {
                               return mDriver->getCapabilities(result);
                           })));
    return convert(capabilities);
}

Result<std::string> AidlDevice::getVersionString() const {
    return ask<std::string>("getVersionString",
                            [&](auto* result) { return mDriver->getVersionString(result); });
}

Result<DeviceType> AidlDevice::getType() const {
    NNAPI_ASSIGN_OR_RETURN(type, (ask<aidl_hal::DeviceType>("getType", [&](auto* result) {
                               return mDriver->getType(result);
                           })));
    return convert(type);
}

Result<std::vector<Extension>> AidlDevice::getSupportedExtensions() const {
    NNAPI_ASSIGN_OR_RETURN(extensions, (ask<std::vector<aidl_hal::Extension>>(
                                               "getSupportedExtensions", [&](auto* result) {
                                                   return mDriver->getSupportedExtensions(result);
                                               })));
    return convert(extensions);
}

Result<NumberOfCacheFiles> AidlDevice::getNumberOfCacheFilesNeeded() const {
    constexpr std::string_view kCall = "getNumberOfCacheFilesNeeded";
    NNAPI_ASSIGN_OR_RETURN(files, (ask<aidl_hal::NumberOfCacheFiles>(kCall, [&](auto* result) {
                               return mDriver->getNumberOfCacheFilesNeeded(result);
                           })));
    const auto canonical = unvalidatedConvert(files);
    return canonical.ok() ? canonical : invalidResult(kCall, canonical.status());
}

Result<std::vector<bool>> AidlDevice::getSupportedOperations(const HalModel& model) const {
    return ask<std::vector<bool>>(nameOfGetSupportedOperations(), [&](auto* result) {
        return mDriver->getSupportedOperations(modelOf(model), result);
    });
}

Status AidlDevice::prepareModel(const HalModel& model, PrepareArguments arguments,
                                const SharedPending& pending) const {
    const auto callback = ndk::SharedRefBase::make<AidlPreparedModelCallback>(pending);
    auto& [modelCache, dataCache, token] = arguments.cache;
    if (!hasConfigs()) {
        return failureOf(
                mDriver->prepareModel(modelOf(model), arguments.preference, arguments.priority,
                                      arguments.deadline, modelCache, dataCache, token, callback),
                nameOfPrepareModel());
    }
    aidl_hal::PrepareModelConfig config{
            .preference = arguments.preference,
            .priority = arguments.priority,
            .deadlineNs = arguments.deadline,
            .modelCache = std::move(modelCache),
            .dataCache = std::move(dataCache),
            .compilationHints = std::move(arguments.hints),
            .extensionNameToPrefix = std::move(arguments.extensionNameToPrefix)};
    std::copy(token.begin(), token.end(), config.cacheToken.begin());
    return failureOf(mDriver->prepareModelWithConfig(modelOf(model), config, callback),
                     nameOfPrepareModel());
}

Status AidlDevice::prepareModelFromCache(const PrepareArguments& arguments,
                                         const SharedPending& pending) const {
    const auto callback = ndk::SharedRefBase::make<AidlPreparedModelCallback>(pending);
    const auto& [modelCache, dataCache, token] = arguments.cache;
    return failureOf(mDriver->prepareModelFromCache(arguments.deadline, modelCache, dataCache,
                                                    token, callback),
                     nameOfPrepareModelFromCache());
}

GeneralResult<SharedBuffer> AidlDevice::allocate(const aidl_hal::BufferDesc& desc,
                                                 const PreparedModels& preparedModels,
                                                 const Roles& inputRoles, const Roles& outputRoles,
                                                 const WrapOptions&) const {
    NNAPI_ASSIGN_OR_RETURN(allocated, (ask<aidl_hal::DeviceBuffer>("allocate", [&](auto* result) {
                               return mDriver->allocate(desc, preparedModels, inputRoles,
                                                        outputRoles, result);
                           })));
    return aidl::wrapBuffer(std::move(allocated.buffer), allocated.token);
}

}  // namespace nn::driver
