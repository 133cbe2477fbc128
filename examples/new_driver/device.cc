#include "device.h"

#include "nnapi/validate.h"

namespace npu_driver {
namespace {

using nn::error;
using nn::ErrorStatus;

// The operations that the device supports: docs/devices.md of nnapi explains the fields.
nn::DeviceProfile description() {
#if NPU_AIDL
    nn::DeviceProfile device{.name = "npu", .version = nn::kVersionFeatureLevel7, .isStrict = true};
#else
    nn::DeviceProfile device{.name = "npu", .version = nn::kVersionFeatureLevel4, .isStrict = true};
#endif
    for (const KernelRow& row : kernels()) {
        // FILL IN: types, ranks, sizes and constants that the kernel requires, in `operands`.
        device.operations.push_back({.type = row.type});
    }
    return device;
}

}  // namespace

#if NPU_CACHING
Device::Device() : mDescription(description()) {
    // FILL IN: nn::CacheKey::ofFile, so that models that one process has saved load in another.
    if (const auto key = nn::CacheKey::random(); key.ok())
        mSeal.emplace(*key, getName(), getVersionString(), nn::CacheSeal::Counts{1, 1});
}
#else
Device::Device() : mDescription(description()) {}
#endif

nn::GeneralResult<std::vector<bool>> Device::getSupportedOperations(const nn::Model& model) const {
    NNAPI_ASSIGN_OR_RETURN(support, nn::supportedOperations(model, mDescription));
    return support.byOperation();
}

nn::GeneralResult<nn::SharedPreparedModel> Device::prepare(
        const nn::Model& model, const nn::OptionalTimePoint& deadline) const {
    NNAPI_ASSIGN_OR_RETURN(support, nn::supportedOperations(model, mDescription));
    std::vector<nn::Diagnostic> reasons = support.reasons;
    for (const nn::OperationSupport& operation : support.operations) {
        reasons.insert(reasons.end(), operation.reasons.begin(), operation.reasons.end());
    }
    if (!reasons.empty()) return error(ErrorStatus::INVALID_ARGUMENT) << toString(reasons.front());
    if (nn::hasDeadlinePassed(deadline))
        return error(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << "the deadline is past";
#if NPU_MEMORY_DOMAINS
    NNAPI_ASSIGN_OR_RETURN(prepared, PreparedModel::create(model, mBuffers));
#else
    NNAPI_ASSIGN_OR_RETURN(prepared, PreparedModel::create(model));
#endif
    return nn::SharedPreparedModel(prepared);
}

nn::GeneralResult<nn::SharedPreparedModel> Device::prepareModel(
        const nn::Model& model, nn::ExecutionPreference preference, nn::Priority priority,
#if NPU_CACHING
        nn::OptionalTimePoint deadline, const std::vector<nn::SharedHandle>& modelCache,
        const std::vector<nn::SharedHandle>& dataCache, const nn::CacheToken& token,
#else
        nn::OptionalTimePoint deadline, const std::vector<nn::SharedHandle>& /*modelCache*/,
        const std::vector<nn::SharedHandle>& /*dataCache*/, const nn::CacheToken& /*token*/,
#endif
        const std::vector<nn::TokenValuePair>& /*hints*/,
        const std::vector<nn::ExtensionNameAndPrefix>& /*prefixes*/) const {
    NNAPI_RETURN_IF_ERROR(nn::validate(preference).status());
    NNAPI_RETURN_IF_ERROR(nn::validate(priority).status());
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(model, deadline));
#if NPU_CACHING
    // FILL IN: save the compiled form, by CacheSeal::save. A model that cannot be saved is prepared
    // all the same.
    if (mSeal && !(modelCache.empty() && dataCache.empty()))
        (void)nn::saveModel(*mSeal, {modelCache, dataCache, token}, model, preference, priority);
#endif
    return prepared;
}
#if NPU_CACHING

std::pair<uint32_t, uint32_t> Device::getNumberOfCacheFilesNeeded() const {
    if (!mSeal) return {0, 0};
    return {mSeal->counts().model, mSeal->counts().data};
}

nn::GeneralResult<nn::SharedPreparedModel> Device::prepareModelFromCache(
        nn::OptionalTimePoint deadline, const std::vector<nn::SharedHandle>& modelCache,
        const std::vector<nn::SharedHandle>& dataCache, const nn::CacheToken& token) const {
    if (!mSeal) return error() << "the device has no cache";
    NNAPI_ASSIGN_OR_RETURN(cached, nn::loadModel(*mSeal, {modelCache, dataCache, token}));
    auto prepared = prepare(cached.model, deadline);
    if (prepared.error().code != ErrorStatus::INVALID_ARGUMENT) return prepared;
    return error() << "the model in the cache: " << prepared.error().message;
}
#else

std::pair<uint32_t, uint32_t> Device::getNumberOfCacheFilesNeeded() const { return {0, 0}; }

nn::GeneralResult<nn::SharedPreparedModel> Device::prepareModelFromCache(
        nn::OptionalTimePoint /*deadline*/, const std::vector<nn::SharedHandle>& /*modelCache*/,
        const std::vector<nn::SharedHandle>& /*dataCache*/, const nn::CacheToken& /*token*/) const {
    return error() << "the device has no cache";
}
#endif
#if NPU_MEMORY_DOMAINS

nn::GeneralResult<nn::SharedBuffer> Device::allocate(
        const nn::BufferDesc& desc, const std::vector<nn::SharedPreparedModel>& preparedModels,
        const std::vector<nn::BufferRole>& inputRoles,
        const std::vector<nn::BufferRole>& outputRoles) const {
    std::vector<nn::BufferUser> users;
    for (const nn::SharedPreparedModel& each : preparedModels) {
        const auto own = std::dynamic_pointer_cast<const PreparedModel>(each);
        const bool isOwn = own != nullptr && own->buffers() == mBuffers.get();
        users.push_back(isOwn ? nn::BufferUser{own, &own->model()} : nn::BufferUser());
    }
    // FILL IN: memory of the accelerator.
    return mBuffers->allocate(desc, users, inputRoles, outputRoles);
}
#else

nn::GeneralResult<nn::SharedBuffer> Device::allocate(
        const nn::BufferDesc& /*desc*/,
        const std::vector<nn::SharedPreparedModel>& /*preparedModels*/,
        const std::vector<nn::BufferRole>& /*inputRoles*/,
        const std::vector<nn::BufferRole>& /*outputRoles*/) const {
    return error() << "the device has no memory of its own";
}
#endif

}  // namespace npu_driver
