// nnapi_android/flavor.h -- Helpers of Android 12 and newer work on canonical types.
#pragma once

#include "nnapi/Validation.h"  // BufferTracker.h brings it
#include "nnapi_android/helper_types.h"

namespace android::nn {

using HelperTypes = ::nnapi_android::CanonicalTypes;
using HelperToken = ::nn::Request::MemoryDomainToken;  // of BufferTracker

}  // namespace android::nn
