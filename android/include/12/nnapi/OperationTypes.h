// nnapi/OperationTypes.h -- the canonical operation types, as Android 12 names them.
#pragma once

#include "nnapi/Types.h"
