// nnapi/testing/code.h -- Deprecated name of nnapi/generate/code.h; removed in 0.3.0.
#pragma once

#include "nnapi/generate/code.h"  // IWYU pragma: export
