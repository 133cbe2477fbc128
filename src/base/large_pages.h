// Large pages for memory that is about to be filled.
#pragma once

#include <cstddef>

namespace nn {

// Less memory may hold no large page.
inline constexpr size_t kMinForLargePages = size_t{4} << 20;

// Advises the kernel to use large pages for the whole ones within the memory.
void adviseLargePages(void* data, size_t bytes);

// The same if there are enough bytes: a fault for each small page costs as much time as filling it.
inline void preferLargePages(void* data, size_t bytes) {
    if (bytes >= kMinForLargePages) [[unlikely]]
        adviseLargePages(data, bytes);
}

}  // namespace nn
