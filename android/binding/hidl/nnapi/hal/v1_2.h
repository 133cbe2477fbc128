// nnapi/hal/v1_2.h -- the types of HAL 1.2, as hidl-gen generates them; see nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>

#include <string>

#include "nnapi/hal/v1_1.h"

namespace android::hardware::neuralnetworks::V1_2 {

#include "nnapi/hal/v1_2_fields.def"

inline bool operator==(const Model& a, const Model& b) { return nn::hal::areEqual(a, b); }

}  // namespace android::hardware::neuralnetworks::V1_2

namespace nn::V1_2 {

using ::android::hardware::neuralnetworks::V1_2::Capabilities;
using ::android::hardware::neuralnetworks::V1_2::Constant;
using ::android::hardware::neuralnetworks::V1_2::DeviceType;
using ::android::hardware::neuralnetworks::V1_2::Extension;
using ::android::hardware::neuralnetworks::V1_2::FmqRequestDatum;
using ::android::hardware::neuralnetworks::V1_2::FmqResultDatum;
using ::android::hardware::neuralnetworks::V1_2::MeasureTiming;
using ::android::hardware::neuralnetworks::V1_2::Model;
using ::android::hardware::neuralnetworks::V1_2::Operand;
using ::android::hardware::neuralnetworks::V1_2::OperandType;
using ::android::hardware::neuralnetworks::V1_2::OperandTypeRange;
using ::android::hardware::neuralnetworks::V1_2::Operation;
using ::android::hardware::neuralnetworks::V1_2::OperationType;
using ::android::hardware::neuralnetworks::V1_2::OperationTypeRange;
using ::android::hardware::neuralnetworks::V1_2::OutputShape;
using ::android::hardware::neuralnetworks::V1_2::SymmPerChannelQuantParams;
using ::android::hardware::neuralnetworks::V1_2::Timing;
using hidl::hidl_array;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::ErrorStatus;
using V1_0::FusedActivationFunc;
using V1_0::OperandLifeTime;
using V1_0::PerformanceInfo;
using V1_0::Request;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;

using HidlToken = hidl_array<uint8_t, static_cast<size_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(DeviceType value);
std::string toString(MeasureTiming value);

}  // namespace nn::V1_2

NNAPI_TEXT_OF(V1_2, OperandType)
NNAPI_TEXT_OF(V1_2, OperationType)
NNAPI_TEXT_OF(V1_2, DeviceType)
NNAPI_TEXT_OF(V1_2, MeasureTiming)
