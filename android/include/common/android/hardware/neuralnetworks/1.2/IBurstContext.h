// android/hardware/neuralnetworks/1.2/IBurstContext.h -- IBurstContext of HAL 1.2.
#pragma once

#include "android/hardware/neuralnetworks/1.2/types.h"
#include "android/hidl/base/1.0/IBase.h"
#include "nnapi/hal/v1_2_interfaces.h"

namespace android::hardware::neuralnetworks::V1_2 {
using ::nn::V1_2::IBurstContext;
}  // namespace android::hardware::neuralnetworks::V1_2
