// android/hardware/neuralnetworks/1.1/IDevice.h -- IDevice of HAL 1.1.
#pragma once

#include "android/hardware/neuralnetworks/1.0/IDevice.h"
#include "android/hardware/neuralnetworks/1.1/types.h"
#include "nnapi/hal/v1_1_interfaces.h"

namespace android::hardware::neuralnetworks::V1_1 {
using ::nn::V1_1::IDevice;
}  // namespace android::hardware::neuralnetworks::V1_1
