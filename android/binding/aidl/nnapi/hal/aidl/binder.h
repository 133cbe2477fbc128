// nnapi/hal/aidl/binder.h -- The NDK's binder; see nnapi/hal/aidl/types.h.
#pragma once

#include <android/binder_auto_utils.h>
#include <android/binder_ibinder.h>
#include <android/binder_interface_utils.h>
#include <android/binder_status.h>
