#include "nnapi/driver/reference.h"

#include <absl/algorithm/container.h>

#include <iterator>
#include <optional>
#include <utility>

#include "backends/reference/prepared_model.h"
#include "device_profile/support_reasons.h"
#include "driver/adapt/argument_checks.h"
#include "driver/fences/deadlines.h"
#include "driver/observe/logged_call.h"
#include "driver/threads/cancellation.h"
#include "nnapi/device_profile.h"
#include "nnapi/driver/cache.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

using driver::ReferencePreparedModel;

class ReferenceDevice final : public IDevice, public ISupportReasons {
   public:
    explicit ReferenceDevice(ReferenceDeviceOptions options)
        : mOptions(std::move(options)),
          mParts(std::make_shared<driver::ReferenceParts>(mOptions)),
          mSeal(sealOf(mOptions)) {}

    const std::string& getName() const override { return mOptions.name; }
    const std::string& getVersionString() const override { return mOptions.versionString; }
    Version getFeatureLevel() const override { return mOptions.featureLevel; }
    DeviceType getType() const override { return DeviceType::CPU; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mOptions.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        if (!mSeal) return {0, 0};
        return {mSeal->counts().model, mSeal->counts().data};
    }

    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const auto support = supportOf(model);
        if (!support.ok()) return support.status();
        return support->byOperation();
    }
    Result<DeviceSupport> supportOf(const Model& model) const override {
        return supportOfAny(model);
    }

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(
                driver::checkPreparation(preference, priority, hints, extensionNameToPrefix));
        return driver::logged(
                mOptions.log, VlogTag::COMPILATION, mOptions.name, "prepareModel", [&] {
                    auto prepared = prepare(model, priority, deadline);
                    if (prepared.has_value() && (!modelCache.empty() || !dataCache.empty())) {
                        saveToCache({modelCache, dataCache, token}, model, preference, priority);
                    }
                    return prepared;
                });
    }

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        if (!mSeal) return error() << "the device has no cache";
        return driver::logged(mOptions.log, VlogTag::COMPILATION, mOptions.name,
                              "prepareModelFromCache", [&] {
                                  return load({modelCache, dataCache, token}, deadline);
                              });
    }

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        // They live as long as the call.
        std::vector<std::shared_ptr<const ReferencePreparedModel>> own;
        std::vector<BufferUser> users;
        for (const SharedPreparedModel& each : preparedModels) {
            own.push_back(ReferencePreparedModel::of(each, mParts));
            users.push_back(own.back() == nullptr ? BufferUser()
                                                  : BufferUser{own.back(), &own.back()->model()});
        }
        return mParts->buffers->allocate(desc, users, inputRoles, outputRoles);
    }

   private:
    // The operations that the interpreter supports and the overlay allows. Model is a Model or a
    // ValidatedModel.
    template <class AnyModel>
    Result<DeviceSupport> supportOfAny(const AnyModel& model) const {
        const SupportOptions options{.limits = mOptions.prepare.limits,
                                     .extensions = mOptions.prepare.extensions,
                                     .until = {.isCancelled = driver::borrowedStop()}};
        auto support = supportedOperations(model,
                                           {.name = mOptions.name,
                                            .version = mOptions.featureLevel,
                                            .supportsOthers = true,
                                            .isStrict = true},
                                           options);
        if (!support.ok() || !mOptions.overlay) return support;
        NNAPI_ASSIGN_OR_RETURN(allowed, supportedOperations(model, *mOptions.overlay, options));
        for (size_t i = 0; i < support->operations.size(); ++i) {
            absl::c_move(allowed.operations[i].reasons,
                         std::back_inserter(support->operations[i].reasons));
        }
        return support;
    }

    // INVALID_ARGUMENT with the first reason if a part of the model is not supported.
    Status checkSupport(const ValidatedModel& model) const {
        NNAPI_ASSIGN_OR_RETURN(support, supportOfAny(model));
        if (!support.reasons.empty()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT, support.reasons.front());
        }
        for (const OperationSupport& operation : support.operations) {
            if (operation.isSupported()) continue;
            return makeError(ErrorStatus::INVALID_ARGUMENT, operation.reasons.front());
        }
        return {};
    }

    // An error in the model takes precedence over a deadline that has passed.
    GeneralResult<SharedPreparedModel> prepare(Model model, Priority priority,
                                               const OptionalTimePoint& deadline) const {
        const Status inTime = driver::checkDeadlineBefore("prepareModel", deadline);
        PrepareOptions options = mOptions.prepare;
        options.until = {
                .deadline = inTime.ok() ? deadline : OptionalTimePoint(),
                .isCancelled = driver::either(options.until.isCancelled, driver::borrowedStop())};
        const auto checked =
                checkFor(std::move(model), mOptions.featureLevel, options.limits, options.until);
        if (!checked.ok()) return checked.status();
        if (mOptions.overlay) NNAPI_RETURN_IF_ERROR(checkSupport(*checked));
        NNAPI_RETURN_IF_ERROR(inTime);
        Result<PreparedModel> prepared = nn::prepare(*checked, options);
        if (!prepared.ok()) return prepared.status();
        return SharedPreparedModel(
                std::make_shared<const ReferencePreparedModel>(*prepared, priority, mParts));
    }

    static std::optional<CacheSeal> sealOf(const ReferenceDeviceOptions& options) {
        if (!options.hasCache) return std::nullopt;
        const Result<CacheKey> key =
                options.cacheKey ? Result<CacheKey>(*options.cacheKey) : CacheKey::random();
        if (!key.ok()) return std::nullopt;
        return CacheSeal(*key, options.name, options.versionString, {.model = 1, .data = 1});
    }

    GeneralResult<SharedPreparedModel> load(const CacheFiles& files,
                                            const OptionalTimePoint& deadline) const {
        NNAPI_ASSIGN_OR_RETURN(cached, loadModel(*mSeal, files));
        auto prepared = prepare(std::move(cached.model), cached.priority, deadline);
        if (prepared.error().code != ErrorStatus::INVALID_ARGUMENT) return prepared;
        return error() << "the model in the cache: " << prepared.error().message;
    }

    void saveToCache(const CacheFiles& files, const Model& model, ExecutionPreference preference,
                     Priority priority) const {
        const Status saved = mSeal ? saveModel(*mSeal, files, model, preference, priority,
                                               mOptions.prepare.limits)
                                   : Status(error() << "the device has no cache");
        if (!saved.ok() && mOptions.onCacheFailure) mOptions.onCacheFailure(saved);
    }

    ReferenceDeviceOptions mOptions;
    std::shared_ptr<driver::ReferenceParts> mParts;
    std::optional<CacheSeal> mSeal;
    std::vector<Extension> mExtensions{};
};

}  // namespace

SharedDevice referenceDevice(ReferenceDeviceOptions options) {
    return std::make_shared<const ReferenceDevice>(std::move(options));
}

}  // namespace nn
