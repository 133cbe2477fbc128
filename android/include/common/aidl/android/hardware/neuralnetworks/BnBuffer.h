// aidl/android/hardware/neuralnetworks/BnBuffer.h -- BnBuffer of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
