#include "interpreter/buffers.h"

#include <absl/algorithm/container.h>

#include <algorithm>

#include "nnapi/checked.h"

namespace nn {
namespace {

bool isSmaller(const Buffer* a, const Buffer* b) { return a->size < b->size; }

}  // namespace

AlignedMemory allocateAligned(uint64_t bytes) {
    const auto size = checkedCast<size_t>(std::max<uint64_t>(bytes, 1));
    if (!size) throw std::bad_alloc();
    return AlignedMemory(
            static_cast<uint8_t*>(::operator new(*size, std::align_val_t(kBufferAlignment))));
}

Buffer* BufferPool::acquire(uint64_t bytes) {
    const auto fit = absl::c_lower_bound(
            mFree, bytes, [](const Buffer* buffer, uint64_t size) { return buffer->size < size; });
    if (fit != mFree.end()) {
        Buffer* buffer = *fit;
        mFree.erase(fit);
        return buffer;
    }
    const auto size = checkedRoundUp<uint64_t>(std::max<uint64_t>(bytes, 1), kBufferAlignment);
    if (!size) throw CeilingReached();
    if (!mBudget.has(*size)) trim();
    mBudget.take(*size);
    mFree.reserve(mBuffers.size() + 1);  // so that releasing never allocates
    mBuffers.push_back(std::make_unique<Buffer>(Buffer{allocateAligned(*size), *size}));
    return mBuffers.back().get();
}

void BufferPool::release(Buffer* buffer) {
    if (buffer == nullptr) return;
    mFree.insert(absl::c_upper_bound(mFree, buffer, isSmaller), buffer);
}

void BufferPool::releaseAll() {
    mFree.clear();
    for (const auto& buffer : mBuffers) mFree.push_back(buffer.get());
    absl::c_sort(mFree, isSmaller);
}

// Frees what nobody uses.
void BufferPool::trim() {
    for (Buffer* buffer : mFree) {
        mBudget.giveBack(buffer->size);
        buffer->size = 0;
        buffer->memory.reset();
    }
    mFree.clear();
    std::erase_if(mBuffers, [](const auto& buffer) { return buffer->memory == nullptr; });
}

}  // namespace nn
