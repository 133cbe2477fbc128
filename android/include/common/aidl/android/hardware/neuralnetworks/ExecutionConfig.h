// aidl/android/hardware/neuralnetworks/ExecutionConfig.h -- ExecutionConfig of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
