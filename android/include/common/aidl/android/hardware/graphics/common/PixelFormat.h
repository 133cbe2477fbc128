// aidl/android/hardware/graphics/common/PixelFormat.h -- PixelFormat of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
