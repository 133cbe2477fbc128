// android/hardware/neuralnetworks/1.2/IDevice.h -- IDevice of HAL 1.2.
#pragma once

#include "android/hardware/neuralnetworks/1.1/IDevice.h"
#include "android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h"
#include "android/hardware/neuralnetworks/1.2/types.h"
#include "nnapi/hal/v1_2_interfaces.h"

namespace android::hardware::neuralnetworks::V1_2 {
using ::nn::V1_2::IDevice;
}  // namespace android::hardware::neuralnetworks::V1_2
