// android/hardware/neuralnetworks/1.1/types.h -- the types that HAL 1.1 defines.
#pragma once

#include "android/hardware/neuralnetworks/1.0/types.h"
#include "nnapi/hal/v1_1.h"
#include "nnapi/print.h"

namespace android::hardware::neuralnetworks::V1_1 {
using ::nn::V1_1::Capabilities;
using ::nn::V1_1::ExecutionPreference;
using ::nn::V1_1::Model;
using ::nn::V1_1::Operation;
using ::nn::V1_1::OperationType;
using ::nn::V1_1::toString;
}  // namespace android::hardware::neuralnetworks::V1_1
