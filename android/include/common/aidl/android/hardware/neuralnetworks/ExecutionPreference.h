// aidl/android/hardware/neuralnetworks/ExecutionPreference.h -- ExecutionPreference of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
