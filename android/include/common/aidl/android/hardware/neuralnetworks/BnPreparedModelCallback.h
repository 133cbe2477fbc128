// aidl/android/hardware/neuralnetworks/BnPreparedModelCallback.h -- BnPreparedModelCallback of
// AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
