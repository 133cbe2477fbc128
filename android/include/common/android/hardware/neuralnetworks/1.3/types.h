// android/hardware/neuralnetworks/1.3/types.h -- the types that HAL 1.3 defines.
#pragma once

#include "android/hardware/neuralnetworks/1.2/types.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/print.h"

namespace android::hardware::neuralnetworks::V1_3 {
using ::nn::V1_3::BufferDesc;
using ::nn::V1_3::BufferRole;
using ::nn::V1_3::Capabilities;
using ::nn::V1_3::ErrorStatus;
using ::nn::V1_3::LoopTimeoutDurationNs;
using ::nn::V1_3::Model;
using ::nn::V1_3::Operand;
using ::nn::V1_3::OperandLifeTime;
using ::nn::V1_3::OperandType;
using ::nn::V1_3::OperandTypeRange;
using ::nn::V1_3::Operation;
using ::nn::V1_3::OperationType;
using ::nn::V1_3::OperationTypeRange;
using ::nn::V1_3::OptionalTimeoutDuration;
using ::nn::V1_3::OptionalTimePoint;
using ::nn::V1_3::Priority;
using ::nn::V1_3::Request;
using ::nn::V1_3::Subgraph;
using ::nn::V1_3::toString;
}  // namespace android::hardware::neuralnetworks::V1_3
