// A number that differs between a process and the one that forked it.
#pragma once

#include <atomic>
#include <cstdint>

namespace nn {

namespace process_internal {
extern std::atomic<uint64_t> generation;
}

// Another number in a process than in the one that has forked it. Of fork() alone: what vfork() and
// clone() make is to call exec.
inline uint64_t processGeneration() noexcept {
    return process_internal::generation.load(std::memory_order_relaxed);
}

}  // namespace nn
