// aidl/android/hardware/neuralnetworks/Request.h -- Request of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
