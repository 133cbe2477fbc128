// aidl/android/hardware/neuralnetworks/NumberOfCacheFiles.h -- NumberOfCacheFiles of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
