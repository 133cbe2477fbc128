// nnapi/hal/v1_3.h -- the types of HAL 1.3, as hidl-gen generates them; see nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <string>

#include "nnapi/hal/v1_2.h"

namespace android::hardware::neuralnetworks::V1_3 {

#include "nnapi/hal/v1_3_fields.def"

inline bool operator==(const Model& a, const Model& b) { return nn::hal::areEqual(a, b); }
inline bool operator==(const Request::MemoryPool& a, const Request::MemoryPool& b) {
    return nn::hal::areEqual(a, b);
}
inline bool operator==(const Request& a, const Request& b) { return nn::hal::areEqual(a, b); }

}  // namespace android::hardware::neuralnetworks::V1_3

namespace nn::V1_3 {

using ::android::hardware::neuralnetworks::V1_3::BufferDesc;
using ::android::hardware::neuralnetworks::V1_3::BufferRole;
using ::android::hardware::neuralnetworks::V1_3::Capabilities;
using ::android::hardware::neuralnetworks::V1_3::ErrorStatus;
using ::android::hardware::neuralnetworks::V1_3::LoopTimeoutDurationNs;
using ::android::hardware::neuralnetworks::V1_3::Model;
using ::android::hardware::neuralnetworks::V1_3::Operand;
using ::android::hardware::neuralnetworks::V1_3::OperandLifeTime;
using ::android::hardware::neuralnetworks::V1_3::OperandType;
using ::android::hardware::neuralnetworks::V1_3::OperandTypeRange;
using ::android::hardware::neuralnetworks::V1_3::Operation;
using ::android::hardware::neuralnetworks::V1_3::OperationType;
using ::android::hardware::neuralnetworks::V1_3::OperationTypeRange;
using ::android::hardware::neuralnetworks::V1_3::OptionalTimeoutDuration;
using ::android::hardware::neuralnetworks::V1_3::OptionalTimePoint;
using ::android::hardware::neuralnetworks::V1_3::Priority;
using ::android::hardware::neuralnetworks::V1_3::Request;
using ::android::hardware::neuralnetworks::V1_3::Subgraph;
using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_vec;
using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::FusedActivationFunc;
using V1_0::PerformanceInfo;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;
using V1_2::Constant;
using V1_2::DeviceType;
using V1_2::Extension;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using V1_2::HidlToken;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::SymmPerChannelQuantParams;
using V1_2::Timing;

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(Priority value);
std::string toString(OperandLifeTime value);
std::string toString(ErrorStatus value);

}  // namespace nn::V1_3

NNAPI_TEXT_OF(V1_3, OperandType)
NNAPI_TEXT_OF(V1_3, OperationType)
NNAPI_TEXT_OF(V1_3, Priority)
NNAPI_TEXT_OF(V1_3, OperandLifeTime)
NNAPI_TEXT_OF(V1_3, ErrorStatus)
