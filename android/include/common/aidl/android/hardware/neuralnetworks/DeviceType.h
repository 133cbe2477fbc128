// aidl/android/hardware/neuralnetworks/DeviceType.h -- DeviceType of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
