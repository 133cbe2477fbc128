// AidlHalInterfaces.h -- all types and interfaces of AIDL, with the short name aidl_hal.
#pragma once

#include "nnapi/hal/CommonUtils.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace android::nn {

inline constexpr aidl_hal::Priority kDefaultPriorityAidl = aidl_hal::Priority::MEDIUM;

}  // namespace android::nn
