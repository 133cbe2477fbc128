// aidl/android/hardware/neuralnetworks/IPreparedModel.h -- IPreparedModel of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
