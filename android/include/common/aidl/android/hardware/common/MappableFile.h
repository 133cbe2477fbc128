// aidl/android/hardware/common/MappableFile.h -- MappableFile of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
