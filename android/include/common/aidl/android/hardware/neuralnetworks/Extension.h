// aidl/android/hardware/neuralnetworks/Extension.h -- Extension of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
