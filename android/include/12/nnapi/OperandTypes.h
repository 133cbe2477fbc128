// nnapi/OperandTypes.h -- the canonical operand types, as Android 12 names them.
#pragma once

#include "nnapi/Types.h"
