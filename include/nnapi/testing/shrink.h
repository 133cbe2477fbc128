// nnapi/testing/shrink.h -- Deprecated name of nnapi/device_test/shrink.h; removed in 0.3.0.
#pragma once

#include "nnapi/device_test/shrink.h"  // IWYU pragma: export
