// aidl/android/hardware/neuralnetworks/IFencedExecutionCallback.h -- IFencedExecutionCallback of
// AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
