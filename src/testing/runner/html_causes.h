// Parts of the HTML report about what went wrong or is not supported, by cause.
#pragma once

#include <string>

#include "nnapi/testing/device_test_runner.h"

namespace nn::testing {

// A section for each cause, with its shortest case; the others are folded.
std::string failuresInHtml(const DeviceReport& report);

// Tables of missing features, and of cases that have not run; empty if there are none.
std::string lackInHtml(const DeviceReport& report);

}  // namespace nn::testing
