// aidl/android/hardware/neuralnetworks/RequestMemoryPool.h -- RequestMemoryPool of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
