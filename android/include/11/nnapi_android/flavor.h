// nnapi_android/flavor.h -- Helpers of Android 11 and older work on the newest HIDL types.
#pragma once

#include "HalInterfaces.h"  // which drivers have from every header of helpers
#include "nnapi_android/helper_types.h"

namespace android::nn {

using HelperTypes = ::nnapi_android::HidlTypes;
using HelperToken = uint32_t;  // of BufferTracker

}  // namespace android::nn
