// nnapi/hal/aidl/Service.h -- a service of AIDL as a canonical device, by Android's name.
#pragma once

#include <string>
#include <utility>

#include <android/binder_manager.h>

#include "nnapi/Result.h"
#include "nnapi/hal/aidl/Device.h"

namespace aidl::android::hardware::neuralnetworks::utils {

// DEVICE_UNAVAILABLE if there is no such service.
inline nn::GeneralResult<nn::SharedDevice> getDevice(const std::string& instance) {
    const std::string name = std::string(IDevice::descriptor) + "/" + instance;
    auto service =
            IDevice::fromBinder(::ndk::SpAIBinder(AServiceManager_checkService(name.c_str())));
    if (service == nullptr) {
        return NN_ERROR(nn::ErrorStatus::DEVICE_UNAVAILABLE) << "there is no service " << name;
    }
    return Device::create(instance, std::move(service));
}

}  // namespace aidl::android::hardware::neuralnetworks::utils
