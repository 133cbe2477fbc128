// Measures the peak memory of a function, and lets its allocations fail. A program that links
// heap.cc counts the bytes of its operator new.
#pragma once

#include <cstddef>

namespace nn::heap {

// For this thread: bytes in use, the most since peak was last set, and the number of allocations.
extern thread_local size_t inUse;
extern thread_local size_t peak;
extern thread_local size_t allocations;

// Blocks in use.
extern thread_local size_t blocks;

// Without exceptions an allocation that fails ends the process.
#ifdef __cpp_exceptions
inline constexpr bool kCanFail = true;
#else
inline constexpr bool kCanFail = false;
#endif

// The n-th allocation from now on fails, and with `lasting` all that follow; 0: none does.
void failAt(size_t n, bool lasting = false);

// The most bytes that a function has in use, beyond those in use before it.
template <class F>
size_t peakOf(F&& function) {
    const size_t before = inUse;
    peak = before;
    function();
    return peak - before;
}

}  // namespace nn::heap
