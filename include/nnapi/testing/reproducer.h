// nnapi/testing/reproducer.h -- Deprecated name of nnapi/device_test/reproducer.h; removed in
// 0.3.0.
#pragma once

#include "nnapi/device_test/reproducer.h"  // IWYU pragma: export
