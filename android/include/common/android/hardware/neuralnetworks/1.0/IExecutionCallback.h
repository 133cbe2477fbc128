// android/hardware/neuralnetworks/1.0/IExecutionCallback.h -- IExecutionCallback of HAL 1.0.
#pragma once

#include "android/hardware/neuralnetworks/1.0/types.h"
#include "android/hidl/base/1.0/IBase.h"
#include "nnapi/hal/v1_0_interfaces.h"

namespace android::hardware::neuralnetworks::V1_0 {
using ::nn::V1_0::IExecutionCallback;
}  // namespace android::hardware::neuralnetworks::V1_0
