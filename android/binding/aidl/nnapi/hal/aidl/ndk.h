// nnapi/hal/aidl/ndk.h -- The NDK's ScopedFileDescriptor; see nnapi/hal/aidl/types.h.
//
// Two of them are equal if their numbers are.
#pragma once

#include <android/binder_auto_utils.h>

#include "nnapi/types.h"
