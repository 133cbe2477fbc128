// nnapi/hal/1.3/Device.h -- a driver of HAL 1.3 as a canonical device, by Android's name.
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include "nnapi/IDevice.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_3::utils {
using ::nn::V1_3::utils::Device;
}
