#include "interpreter/arena_planner.h"

#include <algorithm>

#include "interpreter/buffers.h"
#include "nnapi/checked_math.h"

namespace nn {
namespace {

std::optional<uint64_t> extent(uint64_t bytes) {
    return checkedRoundUp<uint64_t>(std::max<uint64_t>(bytes, 1), kBufferAlignment);
}

}  // namespace

std::optional<uint64_t> ArenaPlanner::allocate(uint64_t bytes) {
    const auto needed = extent(bytes);
    if (!needed) return std::nullopt;
    const auto gap = mGapsBySize.lower_bound({*needed, 0});
    if (gap != mGapsBySize.end()) {
        const auto [size, offset] = *gap;
        removeGap(offset, size);
        if (size > *needed) addGap(offset + *needed, size - *needed);
        return offset;
    }
    // At the end; a gap there becomes the start of the place.
    uint64_t offset = mSize;
    if (!mGaps.empty()) {
        const auto [lastOffset, lastSize] = *mGaps.rbegin();
        if (lastOffset + lastSize == mSize) offset = lastOffset;
    }
    const auto end = checkedAdd<uint64_t>(offset, *needed);
    if (!end) return std::nullopt;
    if (offset != mSize) removeGap(offset, mSize - offset);
    mSize = *end;
    return offset;
}

void ArenaPlanner::release(uint64_t offset, uint64_t bytes) {
    uint64_t size = extent(bytes).value_or(0);
    const auto after = mGaps.upper_bound(offset);
    if (after != mGaps.end() && after->first == offset + size) {
        size += after->second;
        removeGap(after->first, after->second);
    }
    const auto next = mGaps.lower_bound(offset);
    if (next != mGaps.begin()) {
        const auto [before, beforeSize] = *std::prev(next);
        if (before + beforeSize == offset) {
            removeGap(before, beforeSize);
            offset = before;
            size += beforeSize;
        }
    }
    addGap(offset, size);
}

void ArenaPlanner::addGap(uint64_t offset, uint64_t bytes) {
    mGaps.emplace(offset, bytes);
    mGapsBySize.emplace(bytes, offset);
}

void ArenaPlanner::removeGap(uint64_t offset, uint64_t bytes) {
    mGaps.erase(offset);
    mGapsBySize.erase({bytes, offset});
}

}  // namespace nn
