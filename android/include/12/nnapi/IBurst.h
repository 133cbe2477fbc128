// nnapi/IBurst.h -- the canonical interface IBurst, as Android 12 names it.
#pragma once

#include "nnapi/Types.h"
