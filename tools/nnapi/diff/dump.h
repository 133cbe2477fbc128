// Compares a reference execution with the tensors in a driver's dump: docs/dumps.md.
#pragma once

#include <string>

#include "tools/nnapi/diff/steps.h"
#include "tools/nnapi/dump.h"

namespace nn::cli {

// The names of the tensors begin with the prefix. Fails if a tensor of the dump cannot be read or
// has a wrong size.
Result<Verdict> compareWithDump(const Side& side, const Options& options, DumpReader& dump,
                                const std::string& prefix);

}  // namespace nn::cli
