// nnapi/testing/generate.h -- Deprecated name of nnapi/generate/generate.h; removed in 0.3.0.
#pragma once

#include "nnapi/generate/generate.h"  // IWYU pragma: export
