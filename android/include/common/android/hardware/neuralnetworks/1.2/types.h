// android/hardware/neuralnetworks/1.2/types.h -- the types that HAL 1.2 defines.
#pragma once

#include "android/hardware/neuralnetworks/1.1/types.h"
#include "nnapi/hal/v1_2.h"
#include "nnapi/print.h"

namespace android::hardware::neuralnetworks::V1_2 {
using ::nn::V1_2::Capabilities;
using ::nn::V1_2::Constant;
using ::nn::V1_2::DeviceType;
using ::nn::V1_2::Extension;
using ::nn::V1_2::FmqRequestDatum;
using ::nn::V1_2::FmqResultDatum;
using ::nn::V1_2::MeasureTiming;
using ::nn::V1_2::Model;
using ::nn::V1_2::Operand;
using ::nn::V1_2::OperandType;
using ::nn::V1_2::OperandTypeRange;
using ::nn::V1_2::Operation;
using ::nn::V1_2::OperationType;
using ::nn::V1_2::OperationTypeRange;
using ::nn::V1_2::OutputShape;
using ::nn::V1_2::SymmPerChannelQuantParams;
using ::nn::V1_2::Timing;
using ::nn::V1_2::toString;
}  // namespace android::hardware::neuralnetworks::V1_2
