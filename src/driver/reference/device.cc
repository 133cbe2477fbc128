#include "nnapi/driver/reference.h"

#include <utility>

#include "driver/common/told.h"
#include "driver/reference/prepared_model.h"
#include "nnapi/device_overlay.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

using driver::ReferencePreparedModel;

class ReferenceDevice final : public IDevice {
   public:
    explicit ReferenceDevice(ReferenceDeviceOptions options)
        : mOptions(std::move(options)),
          mParts(std::make_shared<driver::ReferenceParts>(mOptions)) {}

    const std::string& getName() const override { return mOptions.name; }
    const std::string& getVersionString() const override { return mOptions.versionString; }
    Version getFeatureLevel() const override { return mOptions.featureLevel; }
    DeviceType getType() const override { return DeviceType::CPU; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mCapabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }

    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const auto support = supportedOperations(
                model,
                {.name = mOptions.name,
                 .version = mOptions.featureLevel,
                 .supportsOthers = true,
                 .isStrict = true},
                {.limits = mOptions.prepare.limits, .extensions = mOptions.prepare.extensions});
        if (!support.ok()) return support.status();
        std::vector<bool> isSupported;
        for (const OperationSupport& operation : support->operations) {
            isSupported.push_back(support->reasons.empty() && operation.isSupported());
        }
        return isSupported;
    }

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>&,
            const std::vector<SharedHandle>&, const CacheToken&,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(validate(preference).status());
        NNAPI_RETURN_IF_ERROR(validate(priority).status());
        NNAPI_RETURN_IF_ERROR(validate(hints).status());
        NNAPI_RETURN_IF_ERROR(validate(extensionNameToPrefix).status());
        return driver::told(mOptions.log, VlogTag::COMPILATION, mOptions.name, "prepareModel",
                            [&] { return prepare(model, priority, deadline); });
    }

    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "the device has no cache";
    }

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        // They live as long as the call.
        std::vector<std::shared_ptr<const ReferencePreparedModel>> own;
        std::vector<driver::BufferUser> users;
        for (const SharedPreparedModel& each : preparedModels) {
            own.push_back(ReferencePreparedModel::of(each, mParts));
            users.push_back(own.back() == nullptr
                                    ? driver::BufferUser()
                                    : driver::BufferUser{own.back(), &own.back()->model()});
        }
        return mParts->buffers->allocate(desc, users, inputRoles, outputRoles);
    }

   private:
    GeneralResult<SharedPreparedModel> prepare(const Model& model, Priority priority,
                                               const OptionalTimePoint& deadline) const {
        PrepareOptions options = mOptions.prepare;
        options.until = {.deadline = deadline};
        const auto checked = checkFor(model, mOptions.featureLevel, options.limits, options.until);
        if (!checked.ok()) return checked.status();
        Result<PreparedModel> prepared = nn::prepare(*checked, options);
        if (!prepared.ok()) return prepared.status();
        return SharedPreparedModel(
                std::make_shared<const ReferencePreparedModel>(*prepared, priority, mParts));
    }

    ReferenceDeviceOptions mOptions;
    std::shared_ptr<driver::ReferenceParts> mParts;
    std::vector<Extension> mExtensions{};
    Capabilities mCapabilities{};
};

}  // namespace

SharedDevice referenceDevice(ReferenceDeviceOptions options) {
    return std::make_shared<const ReferenceDevice>(std::move(options));
}

}  // namespace nn
