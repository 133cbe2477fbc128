// Creates shared memory of every kind.
#pragma once

#include "nnapi/generate/generate.h"

namespace nn::testing {

// The same memory as a mapped file.
SharedMemory asFile(const SharedMemory& memory);

// A memory of a random kind that the version allows.
SharedMemory validMemory(Source& source, HalVersion version, size_t size);

}  // namespace nn::testing
