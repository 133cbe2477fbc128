// The device as a driver of HIDL: it implements HAL 1.0 to 1.3.
#pragma once

#include "nnapi/hal/v1_3_interfaces.h"

namespace npu_driver {

nn::hidl::sp<nn::V1_3::IDevice> createHidlDevice();

}  // namespace npu_driver
