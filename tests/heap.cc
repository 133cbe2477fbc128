#include "heap.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace nn::heap {

thread_local size_t inUse = 0;
thread_local size_t peak = 0;
thread_local size_t allocations = 0;
thread_local size_t blocks = 0;

namespace {
thread_local size_t left = 0;  // allocations until one fails; 0: none fails
thread_local bool fails = false;
thread_local bool lasts = false;
}  // namespace

void failAt(size_t n, bool lasting) {
    left = n;
    fails = false;
    lasts = lasting;
}

// Whether this allocation must fail.
static bool isToFail() {
    if (fails) return true;
    if (left == 0 || --left != 0) return false;
    fails = lasts;
    return true;
}

}  // namespace nn::heap

namespace {

constexpr size_t kDefault = alignof(std::max_align_t);

void* take(size_t size, size_t alignment) {
    if (nn::heap::isToFail()) return nullptr;
    // Benchmarks link this, too: normally aligned allocations must cost no more than without it.
    const size_t whole = (std::max<size_t>(size, 1) + alignment - 1) / alignment * alignment;
    void* memory = alignment > kDefault ? std::aligned_alloc(alignment, whole) : std::malloc(whole);
    if (memory == nullptr) return nullptr;
    ++nn::heap::allocations;
    ++nn::heap::blocks;
    nn::heap::inUse += malloc_usable_size(memory);
    nn::heap::peak = std::max(nn::heap::peak, nn::heap::inUse);
    return memory;
}

void* takeOrThrow(size_t size, size_t alignment) {
    void* memory = take(size, alignment);
    if (memory != nullptr) return memory;
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

void give(void* memory) {
    if (memory == nullptr) return;
    --nn::heap::blocks;
    nn::heap::inUse -= malloc_usable_size(memory);
    std::free(memory);
}

}  // namespace

// The array forms call these.
void* operator new(size_t size) { return takeOrThrow(size, kDefault); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return take(size, kDefault); }
void* operator new(size_t size, std::align_val_t alignment) {
    return takeOrThrow(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { give(memory); }
void operator delete(void* memory, size_t) noexcept { give(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { give(memory); }
