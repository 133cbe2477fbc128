// aidl/android/hardware/neuralnetworks/IPreparedModelCallback.h -- IPreparedModelCallback of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
