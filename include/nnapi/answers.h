// nnapi/answers.h -- Deprecated: its names are in nnapi/types.h; removed in 0.3.0.
#pragma once

#include "nnapi/types.h"  // IWYU pragma: export
