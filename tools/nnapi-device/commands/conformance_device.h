// Runs conformance cases on a device, in worker processes that a crashing device cannot take down.
#pragma once

#include <functional>
#include <string>

#include "cli/options.h"
#include "cli/output.h"

namespace nn::cli {

using NameFilter = std::function<bool(const std::string& name)>;

// Runs the test cases whose names match.
Exit conformanceOfDevice(const Options& options, const NameFilter& filter);

}  // namespace nn::cli
