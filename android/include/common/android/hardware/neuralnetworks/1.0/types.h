// android/hardware/neuralnetworks/1.0/types.h -- the types that HAL 1.0 defines.
#pragma once

#include "hidl/HidlSupport.h"
#include "hidl/MQDescriptor.h"
#include "nnapi/hal/v1_0.h"
#include "nnapi/print.h"

namespace android::hardware::neuralnetworks::V1_0 {
using ::nn::V1_0::Capabilities;
using ::nn::V1_0::DataLocation;
using ::nn::V1_0::DeviceStatus;
using ::nn::V1_0::ErrorStatus;
using ::nn::V1_0::FusedActivationFunc;
using ::nn::V1_0::Model;
using ::nn::V1_0::Operand;
using ::nn::V1_0::OperandLifeTime;
using ::nn::V1_0::OperandType;
using ::nn::V1_0::Operation;
using ::nn::V1_0::OperationType;
using ::nn::V1_0::PerformanceInfo;
using ::nn::V1_0::Request;
using ::nn::V1_0::RequestArgument;
using ::nn::V1_0::toString;
}  // namespace android::hardware::neuralnetworks::V1_0
