// aidl/android/hardware/neuralnetworks/Priority.h -- Priority of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
