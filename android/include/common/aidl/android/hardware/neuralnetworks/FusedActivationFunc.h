// aidl/android/hardware/neuralnetworks/FusedActivationFunc.h -- FusedActivationFunc of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
