// android/hardware/neuralnetworks/1.3/IExecutionCallback.h -- IExecutionCallback of HAL 1.3.
#pragma once

#include "android/hardware/neuralnetworks/1.2/IExecutionCallback.h"
#include "android/hardware/neuralnetworks/1.3/types.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace android::hardware::neuralnetworks::V1_3 {
using ::nn::V1_3::IExecutionCallback;
}  // namespace android::hardware::neuralnetworks::V1_3
