// nnapi/hal/v1_3_interfaces.h -- Driver interfaces of HAL 1.3, as hidl-gen generates them; see
// nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>

#include "nnapi/hal/v1_2_interfaces.h"
#include "nnapi/hal/v1_3.h"

namespace nn::V1_3 {

using ::android::hardware::neuralnetworks::V1_3::IBuffer;
using ::android::hardware::neuralnetworks::V1_3::IDevice;
using ::android::hardware::neuralnetworks::V1_3::IExecutionCallback;
using ::android::hardware::neuralnetworks::V1_3::IFencedExecutionCallback;
using ::android::hardware::neuralnetworks::V1_3::IPreparedModel;
using ::android::hardware::neuralnetworks::V1_3::IPreparedModelCallback;
using hidl::Return;
using hidl::sp;

}  // namespace nn::V1_3
