// nnapi/IBuffer.h -- the canonical interface IBuffer, as Android 12 names it.
#pragma once

#include "nnapi/Types.h"
