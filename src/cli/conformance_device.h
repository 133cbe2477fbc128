// Conformance of a device: each test case once, in processes that the device may take along.
#pragma once

#include <span>

#include "cli/command.h"
#include "cli/name_patterns.h"

namespace nn::cli {

// Of the test cases whose names fit.
Exit conformanceOfDevice(const Options& options, std::span<const Pattern> filters);

}  // namespace nn::cli
