// aidl/android/hardware/graphics/common/HardwareBufferDescription.h -- HardwareBufferDescription of
// AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
