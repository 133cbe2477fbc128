// nnapi_android/aidl_interfaces.h -- shared by the headers of AIDL's interfaces.
#pragma once

#include "android/binder_interface_utils.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi_android/aidl_types.h"
