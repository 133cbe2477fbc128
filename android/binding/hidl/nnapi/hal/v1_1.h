// nnapi/hal/v1_1.h -- the types of HAL 1.1, as hidl-gen generates them; see nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.1/types.h>

#include <string>

#include "nnapi/hal/v1_0.h"

namespace android::hardware::neuralnetworks::V1_1 {

#include "nnapi/hal/v1_1_fields.def"

inline bool operator==(const Model& a, const Model& b) { return nn::hal::areEqual(a, b); }

}  // namespace android::hardware::neuralnetworks::V1_1

namespace nn::V1_1 {

using ::android::hardware::neuralnetworks::V1_1::Capabilities;
using ::android::hardware::neuralnetworks::V1_1::ExecutionPreference;
using ::android::hardware::neuralnetworks::V1_1::Model;
using ::android::hardware::neuralnetworks::V1_1::Operation;
using ::android::hardware::neuralnetworks::V1_1::OperationType;
using hidl::hidl_memory;
using hidl::hidl_vec;
using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::ErrorStatus;
using V1_0::FusedActivationFunc;
using V1_0::Operand;
using V1_0::OperandLifeTime;
using V1_0::OperandType;
using V1_0::PerformanceInfo;
using V1_0::Request;
using V1_0::RequestArgument;

std::string toString(OperationType value);
std::string toString(ExecutionPreference value);

}  // namespace nn::V1_1

NNAPI_TEXT_OF(V1_1, OperationType)
NNAPI_TEXT_OF(V1_1, ExecutionPreference)
