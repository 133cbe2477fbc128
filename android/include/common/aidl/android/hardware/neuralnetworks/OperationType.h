// aidl/android/hardware/neuralnetworks/OperationType.h -- OperationType of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
