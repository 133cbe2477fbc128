// nnapi/hal/hidl/base.h -- IBase, the base of all HIDL interfaces, as hidl-gen generates it; see
// nnapi/hal/hidl.h.
#pragma once

#include <android/hidl/base/1.0/IBase.h>

#include "nnapi/hal/hidl.h"
#include "nnapi/hal/hidl/refs.h"
#include "nnapi/hal/hidl/return.h"

namespace nn::hidl {

using ::android::hardware::hidl_death_recipient;
using ::android::hidl::base::V1_0::DebugInfo;
using ::android::hidl::base::V1_0::IBase;

}  // namespace nn::hidl
