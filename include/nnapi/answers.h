// nnapi/answers.h -- Deprecated name of nnapi/types.h; removed in 0.3.0.
#pragma once

#include "nnapi/types.h"  // IWYU pragma: export
