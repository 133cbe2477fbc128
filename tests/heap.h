// Measures the peak memory of a function, and makes its allocations fail. A program that links
// heap.cc counts the bytes of its operator new.
#pragma once

#include <cstddef>

namespace nn::heap {

// For this thread: bytes in use, the peak since it was last set, and the number of allocations.
extern thread_local size_t inUse;
extern thread_local size_t peak;
extern thread_local size_t allocations;

// Blocks in use.
extern thread_local size_t blocks;

// Without exceptions a failed allocation aborts the process.
#ifdef __cpp_exceptions
inline constexpr bool kCanFail = true;
#else
inline constexpr bool kCanFail = false;
#endif

// Makes the n-th allocation from now on fail, and with `lasting` all later ones; 0: none.
void failAt(size_t n, bool lasting = false);

// The peak of bytes that a function uses in addition to those in use before the call.
template <class F>
size_t peakOf(F&& function) {
    const size_t before = inUse;
    peak = before;
    function();
    return peak - before;
}

}  // namespace nn::heap
