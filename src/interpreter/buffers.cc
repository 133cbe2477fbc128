#include "interpreter/buffers.h"

#include <algorithm>
#include <utility>

#include "nnapi/checked_math.h"

namespace nn {

Result<SealedMemory> SealedMemory::map(const SharedMemory& memory) {
    if (!cannotChange(memory)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "memory is not sealed against writing");
    }
    NNAPI_ASSIGN_OR_RETURN(mapping, nn::map(memory));
    return SealedMemory(std::move(mapping));
}

Buffer* BufferPool::acquire(uint64_t bytes) {
    const auto fit = mFree.lower_bound(bytes);
    if (fit != mFree.end()) {
        Buffer* buffer = fit->second;
        buffer->entry = mFree.extract(fit);
        return buffer;
    }
    const auto size = checkedRoundUp<uint64_t>(std::max<uint64_t>(bytes, 1), kBufferAlignment);
    if (!size) throw CeilingReached();
    if (!mBudget.has(*size)) trim();
    mBudget.take(*size);
    mBuffers.push_back(std::make_unique<Buffer>());
    Buffer* buffer = mBuffers.back().get();
    buffer->index = mBuffers.size() - 1;
    buffer->memory = AlignedMemory(*size);
    buffer->size = *size;
    // Allocates the node now, so that the release does not have to.
    buffer->entry = mFree.extract(mFree.emplace(*size, buffer));
    return buffer;
}

void BufferPool::release(Buffer* buffer) {
    if (buffer != nullptr) mFree.insert(std::move(buffer->entry));
}

void BufferPool::releaseAll() {
    for (const auto& buffer : mBuffers) {
        if (!buffer->entry.empty()) release(buffer.get());
    }
}

// Frees unused buffers. The last buffers take their places.
void BufferPool::trim() {
    for (const auto& [size, buffer] : mFree) {
        mBudget.giveBack(size);
        const size_t index = buffer->index;
        std::swap(mBuffers[index], mBuffers.back());
        mBuffers[index]->index = index;
        mBuffers.pop_back();
    }
    mFree.clear();
}

}  // namespace nn
