#include "driver/hidl/device_adapter.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/hidl/prepared_model_adapter.h"
#include "nnapi/validate.h"

namespace nn::hal::adapter {
namespace {

// For versions without caching.
const hidl_vec<hidl_handle> kNoFiles{};
const V1_2::HidlToken kNoToken{};

Return<void> notify(V1_0::IPreparedModelCallback& callback, V1_0::ErrorStatus status,
                    const sp<V1_3::IPreparedModel>& preparedModel) {
    return callback.notify(status, preparedModel);
}
Return<void> notify(V1_2::IPreparedModelCallback& callback, V1_0::ErrorStatus status,
                    const sp<V1_3::IPreparedModel>& preparedModel) {
    return callback.notify_1_2(status, preparedModel);
}
Return<void> notify(V1_3::IPreparedModelCallback& callback, V1_3::ErrorStatus status,
                    const sp<V1_3::IPreparedModel>& preparedModel) {
    return callback.notify_1_3(status, preparedModel);
}

using Signature = std::shared_ptr<const Model>;

// Notifies the callback if there is one; returns the status that it was given. A client that is
// gone is not a failure.
template <HalVersion V>
StatusOf<V> notify(const SharedContext& context, std::string_view call,
                   const sp<PreparationCallback<V>>& callback,
                   GeneralResult<SharedPreparedModel> result, const Signature& signature = {}) {
    const auto [code, preparedModel] =
            offer<sp<V1_3::IPreparedModel>>(std::move(result), [&](SharedPreparedModel prepared) {
                return sp<PreparedModelAdapter>::make(context, std::move(prepared), signature);
            });
    CallLosses losses(*context, call);
    const StatusOf<V> status = statusFor<V>(code, losses);
    losses.report();
    if (callback != nullptr) {
        ignoreExceptions(
                [&, &model = preparedModel] { (void)notify(*callback, status, model).isOk(); });
    }
    return status;
}

template <HalVersion V, class Hal, class Ask>
HalResult<StatusOf<V>, Hal> ask(const Context& context, std::string_view call, const Ask& ask) {
    return askIn<StatusOf<V>, Hal>(V, context, call, ask);
}

}  // namespace

// ---- properties

template <HalVersion V, class Callback>
Return<void> DeviceAdapter::returnCapabilities(std::string_view call,
                                               const Callback& callback) const {
    if (!callback) return rejectNullCallback();
    using Hal = HalType<Capabilities, V>;
    const auto [status, capabilities, why] =
            ask<V, Hal>(*mContext, call, [&](Losses* losses) -> GeneralResult<Hal> {
                Result<Hal> converted = convertTo<V>(mDevice->getCapabilities(), losses);
                if (!converted.ok()) return blameDevice(converted.status());
                return converted;
            });
    callback(status, capabilities);
    return hidl::Void();
}

Return<void> DeviceAdapter::getCapabilities(getCapabilities_cb callback) {
    return returnCapabilities<HalVersion::V1_0>("getCapabilities", callback);
}
Return<void> DeviceAdapter::getCapabilities_1_1(getCapabilities_1_1_cb callback) {
    return returnCapabilities<HalVersion::V1_1>("getCapabilities_1_1", callback);
}
Return<void> DeviceAdapter::getCapabilities_1_2(getCapabilities_1_2_cb callback) {
    return returnCapabilities<HalVersion::V1_2>("getCapabilities_1_2", callback);
}
Return<void> DeviceAdapter::getCapabilities_1_3(getCapabilities_1_3_cb callback) {
    return returnCapabilities<HalVersion::V1_3>("getCapabilities_1_3", callback);
}

Return<void> DeviceAdapter::getVersionString(getVersionString_cb callback) {
    if (!callback) return rejectNullCallback();
    const auto [status, version, why] = ask<HalVersion::V1_2, hidl::hidl_string>(
            *mContext, "getVersionString", [&](Losses*) { return mDevice->getVersionString(); });
    callback(status, version);
    return hidl::Void();
}

Return<void> DeviceAdapter::getType(getType_cb callback) {
    if (!callback) return rejectNullCallback();
    const auto [status, type, why] =
            ask<HalVersion::V1_2, V1_2::DeviceType>(*mContext, "getType", [&](Losses* losses) {
                return convertTo<HalVersion::V1_2>(mDevice->getType(), losses);
            });
    callback(status, type);
    return hidl::Void();
}

Return<void> DeviceAdapter::getSupportedExtensions(getSupportedExtensions_cb callback) {
    if (!callback) return rejectNullCallback();
    const auto [status, extensions, why] = ask<HalVersion::V1_2, hidl_vec<V1_2::Extension>>(
            *mContext, "getSupportedExtensions", [&](Losses* losses) {
                return convertTo<HalVersion::V1_2>(mDevice->getSupportedExtensions(), losses);
            });
    callback(status, extensions);
    return hidl::Void();
}

Return<void> DeviceAdapter::getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) {
    if (!callback) return rejectNullCallback();
    using Numbers = std::pair<uint32_t, uint32_t>;
    const auto [status, numbers, why] =
            ask<HalVersion::V1_2, Numbers>(*mContext, "getNumberOfCacheFilesNeeded",
                                           [&](Losses*) { return numberOfCacheFiles(*mDevice); });
    callback(status, numbers.first, numbers.second);
    return hidl::Void();
}

// ---- supported operations

template <HalVersion V, class HalModel, class Callback>
Return<void> DeviceAdapter::returnSupportedOperations(std::string_view call, const HalModel& model,
                                                      const Callback& callback) const {
    if (!callback) return rejectNullCallback();
    using Hal = hidl_vec<bool>;
    const auto [status, supported, why] =
            ask<V, Hal>(*mContext, call, [&](Losses*) -> GeneralResult<Hal> {
                const Result<Model> canonical = convertFrom<V>(model);
                if (!canonical.ok()) return blameClient(canonical.status());
                NNAPI_ASSIGN_OR_RETURN(isSupported, supportedOperations(*mDevice, *canonical, V));
                Hal hal;
                hal.resize(isSupported.size());
                std::copy(isSupported.begin(), isSupported.end(), hal.begin());
                return hal;
            });
    callback(status, supported);
    return hidl::Void();
}

Return<void> DeviceAdapter::getSupportedOperations(const V1_0::Model& model,
                                                   getSupportedOperations_cb callback) {
    return returnSupportedOperations<HalVersion::V1_0>("getSupportedOperations", model, callback);
}
Return<void> DeviceAdapter::getSupportedOperations_1_1(const V1_1::Model& model,
                                                       getSupportedOperations_1_1_cb callback) {
    return returnSupportedOperations<HalVersion::V1_1>("getSupportedOperations_1_1", model,
                                                       callback);
}
Return<void> DeviceAdapter::getSupportedOperations_1_2(const V1_2::Model& model,
                                                       getSupportedOperations_1_2_cb callback) {
    return returnSupportedOperations<HalVersion::V1_2>("getSupportedOperations_1_2", model,
                                                       callback);
}
Return<void> DeviceAdapter::getSupportedOperations_1_3(const V1_3::Model& model,
                                                       getSupportedOperations_1_3_cb callback) {
    return returnSupportedOperations<HalVersion::V1_3>("getSupportedOperations_1_3", model,
                                                       callback);
}

// ---- preparations

template <HalVersion V, HalVersion Callback, class HalModel>
StatusOf<Callback> DeviceAdapter::launchPreparation(
        std::string_view call, const HalModel& model, const Arguments& arguments,
        const sp<PreparationCallback<Callback>>& callback) const {
    Signature signature;
    auto preparation = contain([&]() -> GeneralResult<Preparation> {
        if (callback == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the callback is null";
        }
        NNAPI_ASSIGN_OR_RETURN(canonical, convertFrom<V>(model));
        NNAPI_ASSIGN_OR_RETURN(preference, convert(arguments.preference));
        NNAPI_ASSIGN_OR_RETURN(priority, convert(arguments.priority));
        NNAPI_ASSIGN_OR_RETURN(deadline, convert(arguments.deadline));
        signature = signatureOf(canonical);
        CallLosses losses(*mContext, call);
        Cache cache = readCache(arguments.modelCache, arguments.dataCache, arguments.token, losses);
        losses.report();
        return Preparation{.model = std::move(canonical),
                           .preference = preference,
                           .priority = priority,
                           .deadline = deadline,
                           .cache = std::move(cache)};
    });
    if (!preparation.has_value()) {
        return notify<Callback>(mContext, call, callback, blameClient(preparation.status()));
    }
    const bool isLaunched =
            launchOn(mDevice, *mContext, call, *std::move(preparation),
                     [context = mContext, call, callback,
                      signature = std::move(signature)](GeneralResult<SharedPreparedModel> result) {
                         notify<Callback>(context, call, callback, std::move(result), signature);
                     });
    return isLaunched ? StatusOf<Callback>::NONE : StatusOf<Callback>::GENERAL_FAILURE;
}

Return<V1_0::ErrorStatus> DeviceAdapter::prepareModel(
        const V1_0::Model& model, const sp<V1_0::IPreparedModelCallback>& callback) {
    return launchPreparation<HalVersion::V1_0, HalVersion::V1_0>(
            "prepareModel", model,
            {.modelCache = kNoFiles, .dataCache = kNoFiles, .token = kNoToken}, callback);
}

Return<V1_0::ErrorStatus> DeviceAdapter::prepareModel_1_1(
        const V1_1::Model& model, V1_1::ExecutionPreference preference,
        const sp<V1_0::IPreparedModelCallback>& callback) {
    return launchPreparation<HalVersion::V1_1, HalVersion::V1_0>("prepareModel_1_1", model,
                                                                 {.preference = preference,
                                                                  .modelCache = kNoFiles,
                                                                  .dataCache = kNoFiles,
                                                                  .token = kNoToken},
                                                                 callback);
}

Return<V1_0::ErrorStatus> DeviceAdapter::prepareModel_1_2(
        const V1_2::Model& model, V1_1::ExecutionPreference preference,
        const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
        const V1_2::HidlToken& token, const sp<V1_2::IPreparedModelCallback>& callback) {
    return launchPreparation<HalVersion::V1_2, HalVersion::V1_2>("prepareModel_1_2", model,
                                                                 {.preference = preference,
                                                                  .modelCache = modelCache,
                                                                  .dataCache = dataCache,
                                                                  .token = token},
                                                                 callback);
}

Return<V1_3::ErrorStatus> DeviceAdapter::prepareModel_1_3(
        const V1_3::Model& model, V1_1::ExecutionPreference preference, V1_3::Priority priority,
        const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
        const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
        const sp<V1_3::IPreparedModelCallback>& callback) {
    return launchPreparation<HalVersion::V1_3, HalVersion::V1_3>("prepareModel_1_3", model,
                                                                 {.preference = preference,
                                                                  .priority = priority,
                                                                  .deadline = deadline,
                                                                  .modelCache = modelCache,
                                                                  .dataCache = dataCache,
                                                                  .token = token},
                                                                 callback);
}

template <HalVersion V>
StatusOf<V> DeviceAdapter::launchFromCache(std::string_view call,
                                           const V1_3::OptionalTimePoint& deadline,
                                           const hidl_vec<hidl_handle>& modelCache,
                                           const hidl_vec<hidl_handle>& dataCache,
                                           const V1_2::HidlToken& token,
                                           const sp<PreparationCallback<V>>& callback) const {
    auto preparation = contain([&]() -> GeneralResult<CachedPreparation> {
        if (callback == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the callback is null";
        }
        NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, convert(deadline));
        NNAPI_ASSIGN_OR_RETURN(model, readFiles(modelCache));
        NNAPI_ASSIGN_OR_RETURN(data, readFiles(dataCache));
        return CachedPreparation{canonicalDeadline, {std::move(model), std::move(data), token}};
    });
    if (!preparation.has_value()) {
        return notify<V>(mContext, call, callback, blameClient(preparation.status()));
    }
    const bool isLaunched = launchOn(
            mDevice, *mContext, call, *std::move(preparation),
            [context = mContext, call, callback](GeneralResult<SharedPreparedModel> result) {
                notify<V>(context, call, callback, std::move(result));
            });
    return isLaunched ? StatusOf<V>::NONE : StatusOf<V>::GENERAL_FAILURE;
}

Return<V1_0::ErrorStatus> DeviceAdapter::prepareModelFromCache(
        const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
        const V1_2::HidlToken& token, const sp<V1_2::IPreparedModelCallback>& callback) {
    return launchFromCache<HalVersion::V1_2>("prepareModelFromCache", {}, modelCache, dataCache,
                                             token, callback);
}

Return<V1_3::ErrorStatus> DeviceAdapter::prepareModelFromCache_1_3(
        const V1_3::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
        const hidl_vec<hidl_handle>& dataCache, const V1_2::HidlToken& token,
        const sp<V1_3::IPreparedModelCallback>& callback) {
    return launchFromCache<HalVersion::V1_3>("prepareModelFromCache_1_3", deadline, modelCache,
                                             dataCache, token, callback);
}

// ---- memory

Return<void> DeviceAdapter::allocate(const V1_3::BufferDesc& desc,
                                     const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                                     const hidl_vec<V1_3::BufferRole>& inputRoles,
                                     const hidl_vec<V1_3::BufferRole>& outputRoles,
                                     allocate_cb callback) {
    if (!callback) return rejectNullCallback();
    struct Allocated {
        sp<V1_3::IBuffer> buffer{};
        uint32_t token = 0;
    };
    const auto [status, allocated, why] = ask<HalVersion::V1_3, Allocated>(
            *mContext, "allocate", [&](Losses*) -> GeneralResult<Allocated> {
                const auto arguments = contain([&] {
                    return readAllocation<PreparedModelAdapter>(
                            desc, preparedModels, inputRoles, outputRoles, mContext->preparedModels,
                            [](const auto& each) { return each.get(); });
                });
                if (!arguments.has_value()) return blameClient(arguments.status());
                NNAPI_ASSIGN_OR_RETURN(buffer, arguments->on(*mDevice));
                const auto token = static_cast<uint32_t>(buffer->getToken());
                return Allocated{sp<BufferAdapter>::make(mContext, std::move(buffer)), token};
            });
    callback(status, allocated.buffer, allocated.token);
    return hidl::Void();
}

// ---- adapt

namespace {

GeneralResult<sp<V1_3::IDevice>> make(SharedDevice device, AdaptOptions options) {
    NNAPI_ASSIGN_OR_RETURN(context, makeContext(device, std::move(options)));
    return contain([&]() -> GeneralResult<sp<V1_3::IDevice>> {
        return sp<V1_3::IDevice>(sp<DeviceAdapter>::make(std::move(context), std::move(device)));
    });
}

}  // namespace

GeneralResult<sp<V1_3::IDevice>> adapt(SharedDevice device, AdaptOptions options) {
    return make(std::move(device), std::move(options));
}

GeneralResult<sp<V1_3::IDevice>> adaptWith(SharedDevice device, Executor executor) {
    if (!executor) return error(ErrorStatus::INVALID_ARGUMENT) << "the executor is null";
    return make(std::move(device), {.executor = std::move(executor)});
}

}  // namespace nn::hal::adapter
