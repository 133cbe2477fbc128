// nnapi/hal/1.0/Device.h -- a driver of HAL 1.0 as a canonical device, by Android's name.
#pragma once

#include <android/hardware/neuralnetworks/1.0/IDevice.h>

#include "nnapi/IDevice.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_0::utils {
using ::nn::V1_0::utils::Device;
}
