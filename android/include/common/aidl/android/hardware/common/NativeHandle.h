// aidl/android/hardware/common/NativeHandle.h -- NativeHandle of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
