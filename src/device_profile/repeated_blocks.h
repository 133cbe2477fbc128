// Finds blocks of operations that repeat, as those of MobileNet, so that a drawing shows each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nn {

// An operation, as far as repetition is concerned.
struct RepeatedOperation {
    // Equal for operations that look alike and read what lies equally far before them.
    uint32_t kind = 0;
    // The last operation that reads a result; kOutput if a result leaves the graph.
    size_t lastReader = 0;

    static constexpr size_t kOutput = SIZE_MAX;
};

// `count` times the operations [first, first + period), one behind the other.
struct RepeatedBlock {
    size_t first = 0;
    size_t period = 0;
    size_t count = 0;
    size_t end() const { return first + period * count; }
    bool operator==(const RepeatedBlock&) const = default;
};

// Blocks that repeat three times or more, in order and without overlap; only their last repetition
// has results that later operations read. Time is linear in the number of operations.
std::vector<RepeatedBlock> repeatedBlocks(std::span<const RepeatedOperation> operations);

}  // namespace nn
