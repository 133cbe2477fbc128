// aidl/android/hardware/neuralnetworks/Timing.h -- Timing of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
