// aidl/android/hardware/neuralnetworks/BnPreparedModel.h -- BnPreparedModel of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
