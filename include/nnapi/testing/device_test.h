// nnapi/testing/device_test.h -- Deprecated name of nnapi/device_test/device_test.h; removed in
// 0.3.0.
#pragma once

#include "nnapi/device_test/device_test.h"  // IWYU pragma: export
