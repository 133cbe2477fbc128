// aidl/android/hardware/neuralnetworks/IPreparedModelParcel.h -- IPreparedModelParcel of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
