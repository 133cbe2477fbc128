#include "heap.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace nn::heap {

thread_local size_t inUse = 0;
thread_local size_t peak = 0;
thread_local size_t allocations = 0;

}  // namespace nn::heap

void* operator new(size_t size) {
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    ++nn::heap::allocations;
    nn::heap::inUse += malloc_usable_size(memory);
    nn::heap::peak = std::max(nn::heap::peak, nn::heap::inUse);
    return memory;
}

void operator delete(void* memory) noexcept {
    nn::heap::inUse -= malloc_usable_size(memory);
    std::free(memory);
}

void operator delete(void* memory, size_t) noexcept {
    nn::heap::inUse -= malloc_usable_size(memory);
    std::free(memory);
}
