// aidl/android/hardware/neuralnetworks/BnExecution.h -- BnExecution of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
