// Parts of the HTML report about what went wrong or is not supported, by cause.
#pragma once

#include "base/html.h"
#include "device_test/runner/causes.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// "1067 failures: wrong values in 106 operations, ADD (232), RELU (18) and 104 more; in common:
// output 0, element 0 (900)".
Html titleOf(const ResultCause& cause);

// A section for each cause, with its shortest case; the others are folded.
Html failuresInHtml(const DeviceReport& report);

// Tables of missing features, and of cases that have not run; empty if there are none.
Html lackInHtml(const DeviceReport& report);

}  // namespace nn::testing
