// nnapi/hal/aidl/Device.h -- a driver of AIDL as a canonical one, by Android's name.
#pragma once

#include <memory>
#include <string>

#include "nnapi/IDevice.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/ProtectCallback.h"
#include "nnapi/hal/aidl/Utils.h"

namespace aidl::android::hardware::neuralnetworks::utils {

struct Device {
    // By the version that the driver is compiled for, or the one of a feature level.
    static nn::GeneralResult<nn::SharedDevice> create(std::string name,
                                                      std::shared_ptr<IDevice> device,
                                                      nn::Version featureLevel = kVersion);
};

}  // namespace aidl::android::hardware::neuralnetworks::utils
