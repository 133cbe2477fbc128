// aidl/android/hardware/neuralnetworks/OutputShape.h -- OutputShape of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
