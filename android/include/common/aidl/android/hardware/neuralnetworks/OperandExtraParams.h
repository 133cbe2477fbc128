// aidl/android/hardware/neuralnetworks/OperandExtraParams.h -- OperandExtraParams of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
