// nnapi/testing/faulty_driver.h -- Deprecated name of nnapi/device_test/faulty_driver.h; removed in
// 0.3.0.
#pragma once

#include "nnapi/device_test/faulty_driver.h"  // IWYU pragma: export
