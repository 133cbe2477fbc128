// HalBufferTracker.h -- device memory of HIDL drivers, in trees whose BufferTracker.h is canonical.
#pragma once

#include "CpuExecutor.h"
#include "HalInterfaces.h"
#include "Utils.h"
#include "ValidateHal.h"
#include "nnapi_android/managed_buffer.h"

namespace nnapi_android {

// Canonical arguments: only the prepared models are of HIDL.
struct HidlDriverTypes : CanonicalTypes {
    using IPreparedModel = ::nn::V1_3::IPreparedModel;
};

}  // namespace nnapi_android

namespace android::nn {

using HalManagedBuffer = ::nnapi_android::BasicManagedBuffer<::nnapi_android::HidlDriverTypes>;
using HalBufferTracker = ::nnapi_android::BasicBufferTracker<HalManagedBuffer>;

}  // namespace android::nn
