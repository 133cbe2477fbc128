// android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h -- IPreparedModelCallback of
// HAL 1.2.
#pragma once

#include "android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h"
#include "android/hardware/neuralnetworks/1.2/IPreparedModel.h"
#include "android/hardware/neuralnetworks/1.2/types.h"
#include "nnapi/hal/v1_2_interfaces.h"

namespace android::hardware::neuralnetworks::V1_2 {
using ::nn::V1_2::IPreparedModelCallback;
}  // namespace android::hardware::neuralnetworks::V1_2
