// android/hardware/neuralnetworks/1.3/IPreparedModel.h -- IPreparedModel of HAL 1.3.
#pragma once

#include "android/hardware/neuralnetworks/1.2/IPreparedModel.h"
#include "android/hardware/neuralnetworks/1.3/IExecutionCallback.h"
#include "android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h"
#include "android/hardware/neuralnetworks/1.3/types.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace android::hardware::neuralnetworks::V1_3 {
using ::nn::V1_3::IPreparedModel;
}  // namespace android::hardware::neuralnetworks::V1_3
