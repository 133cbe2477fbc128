// nnapi/hal/1.2/Device.h -- a driver of HAL 1.2 as a canonical device, by Android's name.
#pragma once

#include <android/hardware/neuralnetworks/1.2/IDevice.h>

#include "nnapi/IDevice.h"
#include "nnapi/driver/wrap.h"

namespace android::hardware::neuralnetworks::V1_2::utils {
using ::nn::V1_2::utils::Device;
}
