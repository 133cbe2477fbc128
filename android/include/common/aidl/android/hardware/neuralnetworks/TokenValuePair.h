// aidl/android/hardware/neuralnetworks/TokenValuePair.h -- TokenValuePair of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
