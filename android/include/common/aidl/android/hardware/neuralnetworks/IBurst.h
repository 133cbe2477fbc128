// aidl/android/hardware/neuralnetworks/IBurst.h -- IBurst of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
