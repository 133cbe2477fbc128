// aidl/android/hardware/neuralnetworks/SymmPerChannelQuantParams.h -- SymmPerChannelQuantParams of
// AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
