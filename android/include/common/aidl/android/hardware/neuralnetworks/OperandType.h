// aidl/android/hardware/neuralnetworks/OperandType.h -- OperandType of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
