// Anonymous files to keep shared memory in.
#pragma once

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A zeroed file of that size that nobody can shorten, so that a mapping of it can always be
// touched.
Result<UniqueFd> newMemoryFile(uint64_t size);

}  // namespace nn
