// nnapi/checked.h -- Deprecated name of nnapi/checked_math.h; removed in 0.3.0.
#pragma once

#include "nnapi/checked_math.h"  // IWYU pragma: export
