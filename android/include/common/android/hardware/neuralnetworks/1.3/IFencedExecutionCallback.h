// android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h -- IFencedExecutionCallback of
// HAL 1.3.
#pragma once

#include "android/hardware/neuralnetworks/1.3/types.h"
#include "android/hidl/base/1.0/IBase.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace android::hardware::neuralnetworks::V1_3 {
using ::nn::V1_3::IFencedExecutionCallback;
}  // namespace android::hardware::neuralnetworks::V1_3
