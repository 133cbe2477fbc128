// nnapi/IDevice.h -- the canonical interface IDevice, as Android 12 names it.
#pragma once

#include "nnapi/Types.h"
