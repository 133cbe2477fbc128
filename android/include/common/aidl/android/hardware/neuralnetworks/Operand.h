// aidl/android/hardware/neuralnetworks/Operand.h -- Operand of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
