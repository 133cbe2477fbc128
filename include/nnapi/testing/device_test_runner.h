// nnapi/testing/device_test_runner.h -- Deprecated name of nnapi/device_test/device_test_runner.h;
// removed in 0.3.0.
#pragma once

#include "nnapi/device_test/device_test_runner.h"  // IWYU pragma: export
