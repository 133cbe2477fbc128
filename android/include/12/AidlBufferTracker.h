// AidlBufferTracker.h -- device memory of AIDL drivers: AidlManagedBuffer and AidlBufferTracker.
#pragma once

#include "AidlHalInterfaces.h"
#include "AidlValidateHal.h"
#include "CpuExecutor.h"
#include "nnapi_android/managed_buffer.h"

namespace android::nn {

using AidlManagedBuffer = ::nnapi_android::BasicManagedBuffer<::nnapi_android::AidlDriverTypes>;
using AidlBufferTracker = ::nnapi_android::BasicBufferTracker<AidlManagedBuffer>;

}  // namespace android::nn
