// nnapi/testing/compare.h -- Deprecated name of nnapi/comparison.h; removed in 0.3.0.
#pragma once

#include "nnapi/comparison.h"  // IWYU pragma: export
