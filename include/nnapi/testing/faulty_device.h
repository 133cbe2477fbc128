// nnapi/testing/faulty_device.h -- Deprecated name of nnapi/device_test/faulty_device.h; removed in
// 0.3.0.
#pragma once

#include "nnapi/device_test/faulty_device.h"  // IWYU pragma: export
