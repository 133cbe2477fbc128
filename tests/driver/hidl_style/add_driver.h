// A driver of HAL 1.3 in the style of those in Android trees: compiled without RTTI and without
// exceptions, and with nothing of this library but its interfaces and types.
#pragma once

#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::hidl_style {

hidl::sp<V1_3::IDevice> createAddDriver();

}  // namespace nn::hidl_style
