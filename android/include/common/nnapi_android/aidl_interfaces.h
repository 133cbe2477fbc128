// nnapi_android/aidl_interfaces.h -- what the headers of AIDL's interfaces have in common.
#pragma once

#include "android/binder_interface_utils.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi_android/aidl_types.h"
