// aidl/android/hardware/neuralnetworks/BufferRole.h -- BufferRole of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
