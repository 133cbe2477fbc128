// aidl/android/hardware/neuralnetworks/DeviceBuffer.h -- DeviceBuffer of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
