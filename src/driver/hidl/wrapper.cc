#include "driver/hidl/hidl_device.h"
#include "driver/hidl/hidl_prepared_model.h"
#include "driver/wrap/device_wrapper.h"
#include "driver/wrap/prepared_model_wrapper.h"
#include "nnapi/driver/default_burst.h"

namespace nn {

using driver::HidlDevice;
using driver::HidlPreparedModel;

GeneralResult<SharedPreparedModel> HidlDevice::wrapPreparedModel(
        const hidl::sp<V1_0::IPreparedModel>& preparedModel, const WrapOptions& options,
        SharedOutputSignatures outputs) const {
    return driver::PreparedModelWrapper<HidlPreparedModel>::create(
            HidlPreparedModel::cast(preparedModel, mVersion), options, std::move(outputs));
}

#define NNAPI_CREATE_HIDL(V)                                                                  \
    GeneralResult<SharedDevice> V::utils::Device::create(                                     \
            std::string name, hidl::sp<V::IDevice> driver, WrapOptions options) NNAPI_TRY {   \
        return driver::DeviceWrapper<HidlDevice>::create(std::move(name), HidlDevice(driver), \
                                                         std::move(options));                 \
    }                                                                                         \
    NNAPI_CATCH
#define NNAPI_CREATE_AIDL(V)
#define NNAPI_HAL_VERSION(V, level, text, title, family) NNAPI_CREATE_##family(V)
#include "nnapi/hal_versions.def"
#undef NNAPI_CREATE_HIDL
#undef NNAPI_CREATE_AIDL

GeneralResult<SharedDevice> wrap(std::string name, const hidl::sp<V1_0::IDevice>& driver,
                                 WrapOptions options) NNAPI_TRY {
    if (const hidl::sp<V1_3::IDevice> newer = V1_3::IDevice::castFrom(driver); newer != nullptr) {
        return V1_3::utils::Device::create(std::move(name), newer, std::move(options));
    }
    if (const hidl::sp<V1_2::IDevice> newer = V1_2::IDevice::castFrom(driver); newer != nullptr) {
        return V1_2::utils::Device::create(std::move(name), newer, std::move(options));
    }
    if (const hidl::sp<V1_1::IDevice> newer = V1_1::IDevice::castFrom(driver); newer != nullptr) {
        return V1_1::utils::Device::create(std::move(name), newer, std::move(options));
    }
    return V1_0::utils::Device::create(std::move(name), driver, std::move(options));
}
NNAPI_CATCH

GeneralResult<SharedPreparedModel> V1_0::utils::PreparedModel::create(
        hidl::sp<V1_0::IPreparedModel> preparedModel, WrapOptions options) NNAPI_TRY {
    return driver::PreparedModelWrapper<HidlPreparedModel>::create(HidlPreparedModel(preparedModel),
                                                                   options, {});
}
NNAPI_CATCH

#define NNAPI_CREATE(V)                                                           \
    GeneralResult<SharedPreparedModel> V::utils::PreparedModel::create(           \
            hidl::sp<V::IPreparedModel> preparedModel, bool executeSynchronously, \
            WrapOptions options) NNAPI_TRY {                                      \
        options.executeSynchronously = executeSynchronously;                      \
        return driver::PreparedModelWrapper<HidlPreparedModel>::create(           \
                HidlPreparedModel(preparedModel), options, {});                   \
    }                                                                             \
    NNAPI_CATCH
NNAPI_CREATE(V1_2)
NNAPI_CREATE(V1_3)
#undef NNAPI_CREATE

GeneralResult<SharedBurst> V1_0::utils::Burst::create(SharedPreparedModel preparedModel) NNAPI_TRY {
    if (preparedModel == nullptr) {
        return error(nn::ErrorStatus::INVALID_ARGUMENT) << "the prepared model is null";
    }
    return SharedBurst(std::make_shared<const DefaultBurst>(std::move(preparedModel)));
}
NNAPI_CATCH

}  // namespace nn
