// aidl/android/hardware/common/Ashmem.h -- Ashmem of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
