// aidl/android/hardware/graphics/common/HardwareBuffer.h -- HardwareBuffer of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
