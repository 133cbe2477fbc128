// A driver of AIDL 3 that adds float32 tensors, written as one in an Android tree is.
#pragma once

#include <memory>

#include "nnapi/hal/aidl/interfaces.h"

namespace nn::aidl_style {

std::shared_ptr<aidl_hal::IDevice> createAddDriver();

}  // namespace nn::aidl_style
