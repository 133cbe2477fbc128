// nnapi_android/flavor.h -- Helpers of Android 11 and older work on the newest HIDL types.
#pragma once

#include "Utils.h"  // every header of helpers brings it, and HalInterfaces.h and ValidateHal.h
#include "nnapi_android/helper_types.h"

namespace android::nn {

using HelperTypes = ::nnapi_android::HidlTypes;
using HelperToken = uint32_t;  // of BufferTracker

}  // namespace android::nn
