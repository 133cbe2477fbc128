// aidl/android/hardware/neuralnetworks/BnFencedExecutionCallback.h -- BnFencedExecutionCallback of
// AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
