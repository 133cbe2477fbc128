// aidl/android/hardware/neuralnetworks/ExtensionNameAndPrefix.h -- ExtensionNameAndPrefix of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
