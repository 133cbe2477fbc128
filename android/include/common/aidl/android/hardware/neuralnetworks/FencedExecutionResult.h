// aidl/android/hardware/neuralnetworks/FencedExecutionResult.h -- FencedExecutionResult of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
