// nnapi_android/aidl_types.h -- shared by the headers of AIDL's types.
//
// The stand-ins are in few headers, so that each of Android's has all types.
#pragma once

#include "android/binder_auto_utils.h"
#include "android/binder_enums.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/print.h"
