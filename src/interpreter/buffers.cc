#include "interpreter/buffers.h"

#include <algorithm>

#include "nnapi/checked.h"

namespace nn {

AlignedMemory::AlignedMemory(uint64_t bytes) {
    const auto size = checkedCast<size_t>(std::max<uint64_t>(bytes, 1));
    if (!size) throw std::bad_alloc();
    mData.reset(static_cast<uint8_t*>(::operator new(*size, std::align_val_t(kBufferAlignment))));
}

Result<SealedMemory> SealedMemory::map(const SharedMemory& memory) {
    if (!cannotChange(memory)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "memory is not sealed against writing");
    }
    NNAPI_ASSIGN_OR_RETURN(mapping, nn::map(memory));
    return SealedMemory(std::move(mapping));
}

Buffer* BufferPool::acquire(uint64_t bytes) {
    const auto fit = std::ranges::lower_bound(mFree, bytes, {}, &Buffer::size);
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
    mBuffers.push_back(std::make_unique<Buffer>(Buffer{AlignedMemory(*size), *size}));
    return mBuffers.back().get();
}

void BufferPool::release(Buffer* buffer) {
    if (buffer == nullptr) return;
    mFree.insert(std::ranges::upper_bound(mFree, buffer->size, {}, &Buffer::size), buffer);
}

void BufferPool::releaseAll() {
    mFree.clear();
    for (const auto& buffer : mBuffers) mFree.push_back(buffer.get());
    std::ranges::sort(mFree, {}, &Buffer::size);
}

// Frees what nobody uses.
void BufferPool::trim() {
    for (Buffer* buffer : mFree) {
        mBudget.giveBack(buffer->size);
        buffer->size = 0;
        buffer->memory.reset();
    }
    mFree.clear();
    std::erase_if(mBuffers, [](const auto& buffer) { return !buffer->memory; });
}

}  // namespace nn
