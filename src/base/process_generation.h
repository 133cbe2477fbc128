// A number that differs between a process and the one that forked it.
#pragma once

#include <atomic>
#include <cstdint>

namespace nn {

namespace process_internal {
extern std::atomic<uint64_t> generation;
}

// Differs between a process and its fork() children. Children of vfork() and clone() are not
// counted; they are expected to call exec.
inline uint64_t processGeneration() noexcept {
    return process_internal::generation.load(std::memory_order_relaxed);
}

}  // namespace nn
