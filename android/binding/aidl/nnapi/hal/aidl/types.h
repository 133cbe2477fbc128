// nnapi/hal/aidl/types.h -- the types of AIDL, as aidl generates them for the NDK.
//
//   nn::aidl_hal::Model model;   // aidl::android::hardware::neuralnetworks::Model
//
// Where headers of AIDL are generated (CMake's NNAPI_HAL_HEADERS), this and its neighbors replace
// the stand-ins of include/nnapi/hal/aidl. The headers are those of version 4, which has all that
// older ones have; rows are in the namespaces of Android, where argument-dependent lookup finds
// them. Generated code ends the program if a union is read that holds another member.
#pragma once

#include <aidl/android/hardware/neuralnetworks/BufferDesc.h>
#include <aidl/android/hardware/neuralnetworks/BufferRole.h>
#include <aidl/android/hardware/neuralnetworks/Capabilities.h>
#include <aidl/android/hardware/neuralnetworks/DeviceBuffer.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionConfig.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionResult.h>
#include <aidl/android/hardware/neuralnetworks/Extension.h>
#include <aidl/android/hardware/neuralnetworks/FencedExecutionResult.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModelParcel.h>
#include <aidl/android/hardware/neuralnetworks/Model.h>
#include <aidl/android/hardware/neuralnetworks/NumberOfCacheFiles.h>
#include <aidl/android/hardware/neuralnetworks/PrepareModelConfig.h>
#include <aidl/android/hardware/neuralnetworks/Request.h>
#include <aidl/android/hardware/neuralnetworks/TokenValuePair.h>

#include "nnapi/hal/aidl/common.h"
#include "nnapi/hal/aidl/enums.h"

namespace aidl::android::hardware::neuralnetworks {
#include "nnapi/hal/aidl/types_fields.def"
}
