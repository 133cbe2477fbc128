// aidl/android/hardware/neuralnetworks/OperandPerformance.h -- OperandPerformance of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
