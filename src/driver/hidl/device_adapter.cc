#include "driver/hidl/device_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/common/told.h"
#include "driver/hidl/executor.h"
#include "driver/hidl/prepared_model_adapter.h"
#include "nnapi/validate.h"

namespace nn::hal::adapter {
namespace {

// Of calls of versions without caching.
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

// Tells the callback, where there is one, and answers the code that it was told. A client who is
// gone is no failure.
template <HalVersion V>
StatusOf<V> tell(const SharedContext& context, std::string_view call,
                 const sp<PreparationCallback<V>>& callback,
                 GeneralResult<SharedPreparedModel> result, const Signature& signature = {}) {
    ErrorStatus code = errorStatus(result.status());
    sp<V1_3::IPreparedModel> preparedModel;
    if (result.has_value()) {
        const Status made = contain([&]() -> Status {
            if (*result == nullptr) return error() << "the device gave no prepared model";
            preparedModel = sp<PreparedModelAdapter>::make(context, *std::move(result), signature);
            return {};
        });
        if (!made.ok()) code = ErrorStatus::GENERAL_FAILURE;
    }
    Lost lost(*context, call);
    const StatusOf<V> status = statusFor<V>(code, lost);
    lost.tell();
    if (callback != nullptr) {
        ignoreExceptions([&] { (void)notify(*callback, status, preparedModel); });
    }
    return status;
}

// The files of a cache: each handle stands for one descriptor.
GeneralResult<std::vector<SharedHandle>> readFiles(const hidl_vec<hidl_handle>& handles) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(files, convert(handles));
    for (size_t i = 0; i < files.size(); ++i) {
        if (files[i] != nullptr) continue;
        return error(ErrorStatus::INVALID_ARGUMENT) << "[" << i << "]: the handle is null";
    }
    return files;
}
NNAPI_CATCH

struct Cache {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    CacheToken token{};
};

// Of a preparation, which a cache never makes fail: without those files it goes on without cache.
Cache readCache(const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
                const V1_2::HidlToken& token, Lost& lost) {
    auto model = readFiles(modelCache);
    auto data = readFiles(dataCache);
    if (model.ok() && data.ok()) return {*std::move(model), *std::move(data), token};
    if (lost.list() != nullptr) {
        lost.list()->push_back(
                {.path = model.ok() ? "dataCache" : "modelCache",
                 .before = fmt::format("{} files", (model.ok() ? dataCache : modelCache).size()),
                 .after = "no cache",
                 .why = std::string((model.ok() ? data : model).status().message())});
    }
    return {};
}

// A value of the device as a version has it, and the code to answer with it.
template <HalVersion V, class Hal>
struct Answered {
    StatusOf<V> status{};
    Hal value{};
};

// A zero value where the device has none that converts.
template <HalVersion V, class Hal, class Ask>
Answered<V, Hal> ask(const Context& context, std::string_view call, Ask ask) {
    Lost lost(context, call);
    GeneralResult<Hal> answered = contain([&]() -> GeneralResult<Hal> { return ask(lost.list()); });
    Answered<V, Hal> answer;
    answer.status = statusFor<V>(errorStatus(answered.status()), lost);
    if (answered.has_value()) answer.value = *std::move(answered);
    lost.tell();
    return answer;
}

}  // namespace

// ---- what the device is

template <HalVersion V, class Answer>
Return<void> DeviceAdapter::answerCapabilities(std::string_view call, const Answer& answer) const {
    if (!answer) return refuseNullAnswer();
    using Hal = HalType<Capabilities, V>;
    const auto [status, capabilities] =
            ask<V, Hal>(*mContext, call, [&](Losses* losses) -> GeneralResult<Hal> {
                Result<Hal> converted = convertTo<V>(mDevice->getCapabilities(), losses);
                if (!converted.ok()) return blameDevice(converted.status());
                return converted;
            });
    answer(status, capabilities);
    return hidl::Void();
}

Return<void> DeviceAdapter::getCapabilities(getCapabilities_cb callback) {
    return answerCapabilities<HalVersion::V1_0>("getCapabilities", callback);
}
Return<void> DeviceAdapter::getCapabilities_1_1(getCapabilities_1_1_cb callback) {
    return answerCapabilities<HalVersion::V1_1>("getCapabilities_1_1", callback);
}
Return<void> DeviceAdapter::getCapabilities_1_2(getCapabilities_1_2_cb callback) {
    return answerCapabilities<HalVersion::V1_2>("getCapabilities_1_2", callback);
}
Return<void> DeviceAdapter::getCapabilities_1_3(getCapabilities_1_3_cb callback) {
    return answerCapabilities<HalVersion::V1_3>("getCapabilities_1_3", callback);
}

Return<void> DeviceAdapter::getVersionString(getVersionString_cb callback) {
    if (!callback) return refuseNullAnswer();
    const auto [status, version] = ask<HalVersion::V1_2, hidl::hidl_string>(
            *mContext, "getVersionString", [&](Losses*) { return mDevice->getVersionString(); });
    callback(status, version);
    return hidl::Void();
}

Return<void> DeviceAdapter::getType(getType_cb callback) {
    if (!callback) return refuseNullAnswer();
    const auto [status, type] =
            ask<HalVersion::V1_2, V1_2::DeviceType>(*mContext, "getType", [&](Losses* losses) {
                return convertTo<HalVersion::V1_2>(mDevice->getType(), losses);
            });
    callback(status, type);
    return hidl::Void();
}

Return<void> DeviceAdapter::getSupportedExtensions(getSupportedExtensions_cb callback) {
    if (!callback) return refuseNullAnswer();
    const auto [status, extensions] = ask<HalVersion::V1_2, hidl_vec<V1_2::Extension>>(
            *mContext, "getSupportedExtensions", [&](Losses* losses) {
                return convertTo<HalVersion::V1_2>(mDevice->getSupportedExtensions(), losses);
            });
    callback(status, extensions);
    return hidl::Void();
}

Return<void> DeviceAdapter::getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) {
    if (!callback) return refuseNullAnswer();
    using Numbers = std::pair<uint32_t, uint32_t>;
    const auto [status, numbers] = ask<HalVersion::V1_2, Numbers>(
            *mContext, "getNumberOfCacheFilesNeeded", [&](Losses*) -> GeneralResult<Numbers> {
                const Numbers wanted = mDevice->getNumberOfCacheFilesNeeded();
                const Status valid = validateNumberOfCacheFiles(wanted.first, wanted.second);
                if (!valid.ok()) return blameDevice(valid);
                return wanted;
            });
    callback(status, numbers.first, numbers.second);
    return hidl::Void();
}

// ---- what it supports

template <HalVersion V, class HalModel, class Answer>
Return<void> DeviceAdapter::answerSupportedOperations(std::string_view call, const HalModel& model,
                                                      const Answer& answer) const {
    if (!answer) return refuseNullAnswer();
    using Hal = hidl_vec<bool>;
    const auto [status, supported] =
            ask<V, Hal>(*mContext, call, [&](Losses*) -> GeneralResult<Hal> {
                const Result<Model> canonical = convertFrom<V>(model);
                if (!canonical.ok()) return blameClient(canonical.status());
                const auto isSupported = mDevice->getSupportedOperations(*canonical);
                if (!isSupported.has_value()) return isSupported.status();
                if (isSupported->size() != canonical->main.operations.size()) {
                    return error() << "the device answered for " << isSupported->size()
                                   << " operations, allowed " << canonical->main.operations.size();
                }
                Hal hal;
                hal.resize(isSupported->size());
                std::copy(isSupported->begin(), isSupported->end(), hal.begin());
                return hal;
            });
    answer(status, supported);
    return hidl::Void();
}

Return<void> DeviceAdapter::getSupportedOperations(const V1_0::Model& model,
                                                   getSupportedOperations_cb callback) {
    return answerSupportedOperations<HalVersion::V1_0>("getSupportedOperations", model, callback);
}
Return<void> DeviceAdapter::getSupportedOperations_1_1(const V1_1::Model& model,
                                                       getSupportedOperations_1_1_cb callback) {
    return answerSupportedOperations<HalVersion::V1_1>("getSupportedOperations_1_1", model,
                                                       callback);
}
Return<void> DeviceAdapter::getSupportedOperations_1_2(const V1_2::Model& model,
                                                       getSupportedOperations_1_2_cb callback) {
    return answerSupportedOperations<HalVersion::V1_2>("getSupportedOperations_1_2", model,
                                                       callback);
}
Return<void> DeviceAdapter::getSupportedOperations_1_3(const V1_3::Model& model,
                                                       getSupportedOperations_1_3_cb callback) {
    return answerSupportedOperations<HalVersion::V1_3>("getSupportedOperations_1_3", model,
                                                       callback);
}

// ---- preparations

template <HalVersion V, HalVersion Callback, class HalModel>
StatusOf<Callback> DeviceAdapter::launchPreparation(
        std::string_view call, const HalModel& model, const Arguments& arguments,
        const sp<PreparationCallback<Callback>>& callback) const {
    struct Preparation {
        Model model{};
        ExecutionPreference preference{};
        Priority priority{};
        OptionalTimePoint deadline{};
        Cache cache{};
        Signature signature{};
    };
    auto preparation = contain([&]() -> GeneralResult<Preparation> {
        if (callback == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the callback is null";
        }
        NNAPI_ASSIGN_OR_RETURN(canonical, convertFrom<V>(model));
        NNAPI_ASSIGN_OR_RETURN(preference, convert(arguments.preference));
        NNAPI_ASSIGN_OR_RETURN(priority, convert(arguments.priority));
        NNAPI_ASSIGN_OR_RETURN(deadline, convert(arguments.deadline));
        Signature signature = signatureOf(canonical);
        Lost lost(*mContext, call);
        Cache cache = readCache(arguments.modelCache, arguments.dataCache, arguments.token, lost);
        lost.tell();
        return Preparation{std::move(canonical), preference,          priority, deadline,
                           std::move(cache),     std::move(signature)};
    });
    if (!preparation.has_value()) {
        return tell<Callback>(mContext, call, callback, blameClient(preparation.status()));
    }
    const OptionalTimePoint deadline = preparation->deadline;
    Signature signature = preparation->signature;
    const bool isLaunched = launch(
            mContext->executor, deadline,
            [device = mDevice, log = mContext->log, call, ready = *std::move(preparation)] {
                return driver::told(log, VlogTag::DRIVER, "adapter", call, [&] {
                    return device->prepareModel(ready.model, ready.preference, ready.priority,
                                                ready.deadline, ready.cache.model, ready.cache.data,
                                                ready.cache.token, {}, {});
                });
            },
            [context = mContext, call, callback,
             signature = std::move(signature)](GeneralResult<SharedPreparedModel> result) {
                tell<Callback>(context, call, callback, std::move(result), signature);
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
    struct Preparation {
        OptionalTimePoint deadline{};
        Cache cache{};
    };
    auto preparation = contain([&]() -> GeneralResult<Preparation> {
        if (callback == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the callback is null";
        }
        NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, convert(deadline));
        NNAPI_ASSIGN_OR_RETURN(model, readFiles(modelCache));
        NNAPI_ASSIGN_OR_RETURN(data, readFiles(dataCache));
        return Preparation{canonicalDeadline, {std::move(model), std::move(data), token}};
    });
    if (!preparation.has_value()) {
        return tell<V>(mContext, call, callback, blameClient(preparation.status()));
    }
    const OptionalTimePoint end = preparation->deadline;
    const bool isLaunched = launch(
            mContext->executor, end,
            [device = mDevice, log = mContext->log, call, ready = *std::move(preparation)] {
                return driver::told(log, VlogTag::DRIVER, "adapter", call, [&] {
                    return device->prepareModelFromCache(ready.deadline, ready.cache.model,
                                                         ready.cache.data, ready.cache.token);
                });
            },
            [context = mContext, call, callback](GeneralResult<SharedPreparedModel> result) {
                tell<V>(context, call, callback, std::move(result));
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
    if (!callback) return refuseNullAnswer();
    struct Allocation {
        BufferDesc desc{};
        std::vector<SharedPreparedModel> preparedModels{};
        std::vector<BufferRole> inputRoles{};
        std::vector<BufferRole> outputRoles{};
    };
    const auto read = [&]() -> GeneralResult<Allocation> {
        Allocation allocation;
        NNAPI_ASSIGN_OR_RETURN(canonicalDesc, convert(desc));
        for (size_t i = 0; i < preparedModels.size(); ++i) {
            const sp<V1_3::IPreparedModel>& preparedModel = preparedModels[i];
            if (preparedModel == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << i << "] is null";
            }
            // One that is alive in the registry was made by this class for this device.
            if (!mContext->preparedModels.has(preparedModel.get())) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << i << "] is not of this device";
            }
            allocation.preparedModels.push_back(
                    static_cast<const PreparedModelAdapter*>(preparedModel.get())->underlying());
        }
        NNAPI_ASSIGN_OR_RETURN(inputs, convert(inputRoles));
        NNAPI_ASSIGN_OR_RETURN(outputs, convert(outputRoles));
        allocation.desc = std::move(canonicalDesc);
        allocation.inputRoles = std::move(inputs);
        allocation.outputRoles = std::move(outputs);
        return allocation;
    };
    struct Allocated {
        sp<V1_3::IBuffer> buffer{};
        uint32_t token = 0;
    };
    const auto [status, allocated] = ask<HalVersion::V1_3, Allocated>(
            *mContext, "allocate", [&](Losses*) -> GeneralResult<Allocated> {
                const auto arguments = contain(read);
                if (!arguments.has_value()) return blameClient(arguments.status());
                auto buffer = mDevice->allocate(arguments->desc, arguments->preparedModels,
                                                arguments->inputRoles, arguments->outputRoles);
                if (!buffer.has_value()) return buffer.status();
                if (*buffer == nullptr) return error() << "the device gave no buffer";
                const auto token = static_cast<uint32_t>((*buffer)->getToken());
                if (token == 0) return error() << "the device gave a buffer with token 0";
                return Allocated{sp<BufferAdapter>::make(mContext, *std::move(buffer)), token};
            });
    callback(status, allocated.buffer, allocated.token);
    return hidl::Void();
}

// ---- adapt

namespace {

GeneralResult<sp<V1_3::IDevice>> make(SharedDevice device, AdaptOptions options) {
    if (device == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the device is null";
    return contain([&]() -> GeneralResult<sp<V1_3::IDevice>> {
        auto context = std::make_shared<Context>();
        context->executor = options.executor ? std::move(options.executor)
                                             : ownExecutor(options.numberOfThreads);
        context->onLoss = std::move(options.onLoss);
        context->log = std::move(options.log);
        context->burstPollingTimeWindow = options.burstPollingTimeWindow;
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
