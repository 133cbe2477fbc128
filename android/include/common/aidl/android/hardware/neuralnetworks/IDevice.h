// aidl/android/hardware/neuralnetworks/IDevice.h -- IDevice of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
