// The device as a driver of AIDL 3.
#pragma once

#include <memory>

#include "nnapi/hal/aidl/interfaces.h"

namespace npu_driver {

std::shared_ptr<nn::aidl_hal::IDevice> createAidlDevice();

}  // namespace npu_driver
