// aidl/android/hardware/neuralnetworks/PerformanceInfo.h -- PerformanceInfo of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
