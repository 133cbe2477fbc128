// aidl/android/hardware/neuralnetworks/BufferDesc.h -- BufferDesc of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
