// Parts of the HTML report about what went wrong or is not supported, by cause.
#pragma once

#include <string>

#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// A section for each cause, with its shortest case; the others are folded.
std::string failuresInHtml(const DeviceReport& report);

// Tables of what is not supported, and of what has not run; empty if there is nothing.
std::string lackInHtml(const DeviceReport& report);

}  // namespace nn::testing
