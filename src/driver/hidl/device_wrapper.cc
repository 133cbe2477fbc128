#include "driver/hidl/versions.h"

namespace nn {

using driver::DeviceWrapper;

#define NNAPI_CREATE(V)                                                                     \
    GeneralResult<SharedDevice> V::utils::Device::create(                                   \
            std::string name, hidl::sp<V::IDevice> driver, WrapOptions options) NNAPI_TRY { \
        return DeviceWrapper<HalVersion::V>::create(std::move(name), std::move(driver),     \
                                                    std::move(options));                    \
    }                                                                                       \
    NNAPI_CATCH
NNAPI_CREATE(V1_0)
NNAPI_CREATE(V1_1)
NNAPI_CREATE(V1_2)
NNAPI_CREATE(V1_3)
#undef NNAPI_CREATE

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

GeneralResult<SharedBurst> V1_0::utils::Burst::create(SharedPreparedModel preparedModel) NNAPI_TRY {
    if (preparedModel == nullptr) {
        return error(nn::ErrorStatus::INVALID_ARGUMENT) << "the prepared model is null";
    }
    return SharedBurst(std::make_shared<const DefaultBurst>(std::move(preparedModel)));
}
NNAPI_CATCH

}  // namespace nn
