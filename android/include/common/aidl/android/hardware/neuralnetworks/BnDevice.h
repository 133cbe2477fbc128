// aidl/android/hardware/neuralnetworks/BnDevice.h -- BnDevice of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
