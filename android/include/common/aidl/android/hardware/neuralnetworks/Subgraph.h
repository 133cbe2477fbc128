// aidl/android/hardware/neuralnetworks/Subgraph.h -- Subgraph of AIDL.
#pragma once

#include "nnapi_android/aidl_types.h"
