// aidl/android/hardware/neuralnetworks/ExtensionOperandTypeInformation.h --
// ExtensionOperandTypeInformation of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
