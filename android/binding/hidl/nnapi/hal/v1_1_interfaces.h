// nnapi/hal/v1_1_interfaces.h -- Driver interfaces of HAL 1.1, as hidl-gen generates them; see
// nnapi/hal/hidl.h.
#pragma once

#include <android/hardware/neuralnetworks/1.1/IDevice.h>

#include "nnapi/hal/v1_0_interfaces.h"
#include "nnapi/hal/v1_1.h"

namespace nn::V1_1 {

using ::android::hardware::neuralnetworks::V1_1::IDevice;
using hidl::Return;
using hidl::sp;

}  // namespace nn::V1_1
