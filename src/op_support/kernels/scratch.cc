#include "op_support/kernels/scratch.h"

#include <algorithm>

namespace nn::ops {
namespace {

// The first block suffices for a few elements. Other blocks are smaller than the threshold at which
// free() makes malloc trim the heap.
constexpr size_t kFirstBlock = 960;
constexpr size_t kMinBlock = size_t{1} << 14;

}  // namespace

MutableBytes Scratch::allocate(size_t bytes) {
    if (bytes > SIZE_MAX - kBufferAlignment) throw std::bad_alloc();
    const size_t rounded = (std::max<size_t>(bytes, 1) + kBufferAlignment - 1) / kBufferAlignment *
                           kBufferAlignment;
    while (mBlock < mBlocks.size() && mBlocks[mBlock].size - mUsed < rounded) {
        ++mBlock;
        mUsed = 0;
    }
    if (mBlock == mBlocks.size()) {
        const size_t least = mBlocks.empty() ? kFirstBlock : kMinBlock;
        const size_t generous = std::max({rounded, least, mTotal});
        const size_t size = mBudget == nullptr || mBudget->has(generous) ? generous : rounded;
        if (mBudget != nullptr) mBudget->take(size);
        mBlocks.push_back({AlignedMemory(size), size});
        mTotal += size;
        mUsed = 0;
    }
    const Block& block = mBlocks[mBlock];
    const MutableBytes start = block.memory.at(mUsed);
    mUsed += rounded;
    if (mSeed) [[unlikely]]
        poison(start, rounded, *mSeed);
    return start;
}

void Scratch::reset() {
    mBlock = 0;
    mUsed = 0;
}

}  // namespace nn::ops
