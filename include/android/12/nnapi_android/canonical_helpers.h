// nnapi_android/canonical_helpers.h -- what the helpers of canonical drivers call.
#pragma once

#include <cstdint>
#include <vector>

#include "nnapi/types.h"
#include "nnapi_android/cpu_run.h"

namespace nnapi_android {

// Bytes of a value; ends the program for a type of an extension, and where they exceed 32 bits.
uint32_t sizeOfData(::nn::OperandType type, const std::vector<uint32_t>& dimensions);
bool sizeOverflows(::nn::OperandType type, const std::vector<uint32_t>& dimensions);

// UNKNOWN for what is not a descriptor.
::nn::SyncFence::FenceState waitForFence(int fd, int milliseconds);

}  // namespace nnapi_android
