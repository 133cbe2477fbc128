// aidl/android/hardware/neuralnetworks/DataLocation.h -- DataLocation of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
