// aidl/android/hardware/neuralnetworks/Memory.h -- Memory of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
