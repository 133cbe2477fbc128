// Controls pread and pwrite on this thread: they can transfer less than requested, be interrupted,
// or fail. The program defines its own functions, which replace those of the C library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nn::hostile {

struct Transfers {
    size_t most = SIZE_MAX;  // the most bytes of one call
    size_t interrupted = 0;  // interrupts each n-th call; 0: none
    size_t failing = 0;      // the n-th call and all after it fail with `error`; 0: none
    int error = 0;           // EIO, ENOSPC ...; 0: the file ends there
    size_t calls = 0;        // so far
};
extern thread_local Transfers transfers;

}  // namespace nn::hostile
