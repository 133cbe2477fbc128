// aidl/android/hardware/neuralnetworks/IExecution.h -- IExecution of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
