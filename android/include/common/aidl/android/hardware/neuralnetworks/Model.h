// aidl/android/hardware/neuralnetworks/Model.h -- Model of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
