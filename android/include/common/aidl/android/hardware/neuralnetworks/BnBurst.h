// aidl/android/hardware/neuralnetworks/BnBurst.h -- BnBurst of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
