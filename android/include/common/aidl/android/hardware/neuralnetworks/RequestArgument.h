// aidl/android/hardware/neuralnetworks/RequestArgument.h -- RequestArgument of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
