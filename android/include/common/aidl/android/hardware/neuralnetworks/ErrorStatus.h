// aidl/android/hardware/neuralnetworks/ErrorStatus.h -- ErrorStatus of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
