// aidl/android/hardware/neuralnetworks/Operation.h -- Operation of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
