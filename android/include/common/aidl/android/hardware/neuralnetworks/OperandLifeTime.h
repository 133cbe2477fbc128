// aidl/android/hardware/neuralnetworks/OperandLifeTime.h -- OperandLifeTime of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
