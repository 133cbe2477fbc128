// Runs conformance cases on a device, in worker processes that a crashing device cannot take down.
#pragma once

#include <span>

#include "cli/command.h"
#include "cli/name_patterns.h"

namespace nn::cli {

// Of the test cases whose names fit.
Exit conformanceOfDevice(const Options& options, std::span<const Pattern> filters);

}  // namespace nn::cli
