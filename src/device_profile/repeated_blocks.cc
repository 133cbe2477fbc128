#include "device_profile/repeated_blocks.h"

#include <algorithm>

namespace nn {
namespace {

constexpr size_t kMaxPeriod = 32;
constexpr size_t kMinCount = 3;
constexpr size_t kMinHidden = 4;  // operations that are not drawn

// The block at each operation that hides most operations.
std::vector<RepeatedBlock> bestBlocks(std::span<const RepeatedOperation> operations) {
    const size_t size = operations.size();
    std::vector<RepeatedBlock> best(size);
    for (size_t period = 1; period <= std::min(kMaxPeriod, size / kMinCount); ++period) {
        size_t equal = 0;  // operations from i on that are followed by an equal one
        for (size_t i = size - period; i-- > 0;) {
            // A result that is read later than in the next block would be hidden.
            const bool isRepeated = operations[i].kind == operations[i + period].kind &&
                                    operations[i].lastReader <= i + period;
            equal = isRepeated ? equal + 1 : 0;
            const size_t count = equal / period + 1;
            const size_t hidden = (count - 1) * period;
            const RepeatedBlock& other = best[i];
            if (count < kMinCount || hidden < kMinHidden) continue;
            if (other.count == 0 || hidden > (other.count - 1) * other.period)
                best[i] = {.first = i, .period = period, .count = count};
        }
    }
    return best;
}

}  // namespace

std::vector<RepeatedBlock> repeatedBlocks(std::span<const RepeatedOperation> operations) {
    const std::vector<RepeatedBlock> best = bestBlocks(operations);
    std::vector<RepeatedBlock> blocks;
    for (size_t i = 0; i < best.size();) {
        if (best[i].count == 0) {
            ++i;
            continue;
        }
        blocks.push_back(best[i]);
        i = best[i].end();
    }
    return blocks;
}

}  // namespace nn
