// MemoryUtils.h -- Allocates shared memory as a hidl_memory.
#pragma once

#include <hidlmemory/mapping.h>

#include <cstdint>

#include "nnapi/convert.h"
#include "nnapi/memory.h"

namespace android::nn {

// Zeroed memory of the kind "ashmem"; an empty hidl_memory where there is none.
inline hardware::hidl_memory allocateSharedMemory(int64_t size) {
    if (size <= 0) return {};
    const auto memory = ::nn::createSharedMemory(static_cast<size_t>(size));
    if (!memory.ok()) return {};
    auto converted = ::nn::V1_0::utils::unvalidatedConvert(*memory);
    return converted.ok() ? *std::move(converted) : hardware::hidl_memory();
}

}  // namespace android::nn
