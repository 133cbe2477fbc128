// nnapi/hal/v1_0_interfaces.h -- Driver interfaces of HAL 1.0, as hidl-gen generates them; see
// nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>

#include "nnapi/hal/hidl/base.h"
#include "nnapi/hal/v1_0.h"

namespace nn::V1_0 {

using ::android::hardware::neuralnetworks::V1_0::IDevice;
using ::android::hardware::neuralnetworks::V1_0::IExecutionCallback;
using ::android::hardware::neuralnetworks::V1_0::IPreparedModel;
using ::android::hardware::neuralnetworks::V1_0::IPreparedModelCallback;
using hidl::Return;
using hidl::sp;

}  // namespace nn::V1_0
