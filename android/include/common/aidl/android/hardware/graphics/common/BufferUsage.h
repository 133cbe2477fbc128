// aidl/android/hardware/graphics/common/BufferUsage.h -- BufferUsage of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
