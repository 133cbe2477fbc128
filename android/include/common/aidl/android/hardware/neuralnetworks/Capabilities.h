// aidl/android/hardware/neuralnetworks/Capabilities.h -- Capabilities of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
