// How much memory a function has in use at the most, and what it does where there is none. A
// program that links heap.cc counts what its operator new gives out.
#pragma once

#include <cstddef>

namespace nn::heap {

// Of this thread: bytes in use, the most since peak was last set, and how often any were taken.
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

// The most bytes in use while a function runs, beyond those that were before.
template <class F>
size_t peakOf(F&& function) {
    const size_t before = inUse;
    peak = before;
    function();
    return peak - before;
}

}  // namespace nn::heap
