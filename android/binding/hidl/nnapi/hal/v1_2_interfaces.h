// nnapi/hal/v1_2_interfaces.h -- Driver interfaces of HAL 1.2, as hidl-gen generates them; see
// nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IDevice.h>
#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h>

#include "nnapi/hal/hidl/queue_descriptor.h"
#include "nnapi/hal/v1_1_interfaces.h"
#include "nnapi/hal/v1_2.h"

namespace nn::V1_2 {

using ::android::hardware::neuralnetworks::V1_2::IBurstCallback;
using ::android::hardware::neuralnetworks::V1_2::IBurstContext;
using ::android::hardware::neuralnetworks::V1_2::IDevice;
using ::android::hardware::neuralnetworks::V1_2::IExecutionCallback;
using ::android::hardware::neuralnetworks::V1_2::IPreparedModel;
using ::android::hardware::neuralnetworks::V1_2::IPreparedModelCallback;
using hidl::hidl_handle;
using hidl::MQDescriptorSync;
using hidl::Return;
using hidl::sp;

}  // namespace nn::V1_2
