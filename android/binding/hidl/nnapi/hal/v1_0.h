// nnapi/hal/v1_0.h -- the types of HAL 1.0, as hidl-gen generates them; see nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>

#include <string>

#include "nnapi/hal/hidl.h"

namespace android::hardware::neuralnetworks::V1_0 {

#include "nnapi/hal/v1_0_fields.def"

inline bool operator==(const Model& a, const Model& b) { return nn::hal::areEqual(a, b); }
inline bool operator==(const Request& a, const Request& b) { return nn::hal::areEqual(a, b); }

}  // namespace android::hardware::neuralnetworks::V1_0

namespace nn::V1_0 {

using ::android::hardware::neuralnetworks::V1_0::Capabilities;
using ::android::hardware::neuralnetworks::V1_0::DataLocation;
using ::android::hardware::neuralnetworks::V1_0::DeviceStatus;
using ::android::hardware::neuralnetworks::V1_0::ErrorStatus;
using ::android::hardware::neuralnetworks::V1_0::FusedActivationFunc;
using ::android::hardware::neuralnetworks::V1_0::Model;
using ::android::hardware::neuralnetworks::V1_0::Operand;
using ::android::hardware::neuralnetworks::V1_0::OperandLifeTime;
using ::android::hardware::neuralnetworks::V1_0::OperandType;
using ::android::hardware::neuralnetworks::V1_0::Operation;
using ::android::hardware::neuralnetworks::V1_0::OperationType;
using ::android::hardware::neuralnetworks::V1_0::PerformanceInfo;
using ::android::hardware::neuralnetworks::V1_0::Request;
using ::android::hardware::neuralnetworks::V1_0::RequestArgument;
using hidl::hidl_memory;
using hidl::hidl_vec;

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(FusedActivationFunc value);
std::string toString(OperandLifeTime value);
std::string toString(DeviceStatus value);
std::string toString(ErrorStatus value);

}  // namespace nn::V1_0

NNAPI_TEXT_OF(V1_0, OperandType)
NNAPI_TEXT_OF(V1_0, OperationType)
NNAPI_TEXT_OF(V1_0, FusedActivationFunc)
NNAPI_TEXT_OF(V1_0, OperandLifeTime)
NNAPI_TEXT_OF(V1_0, DeviceStatus)
NNAPI_TEXT_OF(V1_0, ErrorStatus)
