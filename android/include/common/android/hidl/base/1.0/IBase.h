// android/hidl/base/1.0/IBase.h -- IBase, the base of all HIDL interfaces, and DebugInfo.
#pragma once

#include "hidl/Status.h"
#include "nnapi/hal/hidl/base.h"

namespace android::hidl::base::V1_0 {

using ::nn::hidl::DebugInfo;
using ::nn::hidl::IBase;

}  // namespace android::hidl::base::V1_0
