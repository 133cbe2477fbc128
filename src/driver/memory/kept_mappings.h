// Mappings of memory that another side sent, and that is kept for more than one execution.
#pragma once

#include "nnapi/types.h"
#include "types/memory_file.h"

namespace nn::driver {

// Each memory of the request keeps a mapping once it has been used a few times, as memory_file.h
// describes.
inline void keepMappings(Request& request) {
    for (Request::MemoryPool& pool : request.pools) {
        auto* memory = std::get_if<SharedMemory>(&pool);
        if (memory != nullptr && *memory != nullptr) *memory = keepingMapping(std::move(*memory));
    }
}

}  // namespace nn::driver
