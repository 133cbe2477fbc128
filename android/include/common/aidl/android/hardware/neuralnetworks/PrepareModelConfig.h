// aidl/android/hardware/neuralnetworks/PrepareModelConfig.h -- PrepareModelConfig of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
