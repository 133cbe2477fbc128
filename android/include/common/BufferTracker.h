// BufferTracker.h -- ManagedBuffer and BufferTracker: device memory, for IDevice::allocate and the
// executions that use it.
#pragma once

#include "CpuExecutor.h"
#include "nnapi_android/flavor.h"
#include "nnapi_android/managed_buffer.h"

namespace android::nn {

using PreparedModelRole = ::nnapi_android::BasicPreparedModelRole<HelperTypes>;
using ManagedBuffer = ::nnapi_android::BasicManagedBuffer<HelperTypes>;
using BufferTracker = ::nnapi_android::BasicBufferTracker<ManagedBuffer, HelperToken>;

}  // namespace android::nn
