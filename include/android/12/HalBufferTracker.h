// HalBufferTracker.h -- Device memory of HIDL drivers, in trees whose BufferTracker.h is canonical.
#pragma once

#include "nnapi_android/managed_buffer.h"

namespace android::nn {

using HalPreparedModelRole = ::nnapi_android::BasicPreparedModelRole<::nnapi_android::HidlTypes>;
using HalManagedBuffer = ::nnapi_android::BasicManagedBuffer<::nnapi_android::HidlTypes>;
using HalBufferTracker = ::nnapi_android::BasicBufferTracker<HalManagedBuffer>;

}  // namespace android::nn
