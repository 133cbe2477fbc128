// aidl/android/hardware/neuralnetworks/ExecutionResult.h -- ExecutionResult of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
