// nnapi/hal/1.1/Device.h -- a driver of HAL 1.1 as a canonical device, by Android's name.
#pragma once

#include <android/hardware/neuralnetworks/1.1/IDevice.h>

#include "nnapi/IDevice.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_1::utils {
using ::nn::V1_1::utils::Device;
}
