// nnapi/hal/1.0/Service.h -- a service of HAL 1.0 as a canonical device, by Android's name.
#pragma once

#include <string>
#include <utility>

#include "nnapi/Result.h"
#include "nnapi/hal/1.0/Device.h"

namespace android::hardware::neuralnetworks::V1_0::utils {

// DEVICE_UNAVAILABLE if there is no such service.
inline nn::GeneralResult<nn::SharedDevice> getDevice(const std::string& name) {
    auto service = ::nn::V1_0::IDevice::getService(name);
    if (service == nullptr) {
        return NN_ERROR(nn::ErrorStatus::DEVICE_UNAVAILABLE) << "there is no service " << name;
    }
    return Device::create(name, std::move(service));
}

}  // namespace android::hardware::neuralnetworks::V1_0::utils
