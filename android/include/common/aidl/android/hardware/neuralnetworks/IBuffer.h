// aidl/android/hardware/neuralnetworks/IBuffer.h -- IBuffer of AIDL.
#pragma once

#include "nnapi_android/aidl_interfaces.h"
