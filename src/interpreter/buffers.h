// The memory of one execution: how much it may be, and buffers that are used again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "nnapi/memory.h"
#include "ops/bytes.h"

namespace nn {

// An execution needs more than Limits::peakBytes.
class CeilingReached : public std::bad_alloc {
   public:
    const char* what() const noexcept override { return "the ceiling of memory is reached"; }
};

// Counts bytes against a ceiling.
class Budget {
   public:
    explicit Budget(uint64_t most) : mLeft(most) {}

    bool has(uint64_t bytes) const { return bytes <= mLeft; }
    void take(uint64_t bytes) {
        if (!has(bytes)) throw CeilingReached();
        mLeft -= bytes;
    }
    void giveBack(uint64_t bytes) { mLeft += bytes; }

   private:
    uint64_t mLeft;
};

// Enough for every element type and for vector instructions.
inline constexpr size_t kBufferAlignment = 64;

// Memory of the library's own, which begins at a multiple of kBufferAlignment.
class AlignedMemory {
   public:
    AlignedMemory() = default;

    // Uninitialised, also for 0 bytes. Throws std::bad_alloc.
    explicit AlignedMemory(uint64_t bytes);

    ops::MutableBytes at(uint64_t offset) const { return ops::MutableBytes(mData.get() + offset); }
    explicit operator bool() const { return mData != nullptr; }
    void reset() { mData.reset(); }

   private:
    struct Delete {
        void operator()(uint8_t* data) const {
            ::operator delete(data, std::align_val_t(kBufferAlignment));
        }
    };
    std::unique_ptr<uint8_t[], Delete> mData;
};

// A shared memory that nobody can write to or shorten any more.
class SealedMemory {
   public:
    // Fails where the memory is not sealed so, and where it cannot be mapped.
    static Result<SealedMemory> map(const SharedMemory& memory);

    uint64_t size() const { return mMapping.size(); }
    ops::Bytes at(uint64_t offset) const { return ops::Bytes(mMapping.data() + offset); }

   private:
    explicit SealedMemory(Mapping mapping) : mMapping(std::move(mapping)) {}
    Mapping mMapping;
};

struct Buffer {
    AlignedMemory memory;
    uint64_t size = 0;
    ops::MutableBytes data() const { return memory.at(0); }

    // Its entry among the free buffers, kept here while it is in use.
    using Free = std::multimap<uint64_t, Buffer*>;  // by size
    Free::node_type entry{};
    size_t index = 0;  // among all buffers of its pool
};

// Buffers for values whose size only an execution tells. What is released serves again, so that
// executions alike allocate only once. Acquiring and releasing are logarithmic in the free buffers,
// and freeing them all is linear in these alone; releasing allocates nothing.
class BufferPool {
   public:
    explicit BufferPool(Budget& budget) : mBudget(budget) {}

    // The smallest free buffer of that many bytes or more, else a new one. Never null, also for 0
    // bytes. Throws CeilingReached and std::bad_alloc.
    Buffer* acquire(uint64_t bytes);

    // Null is fine.
    void release(Buffer* buffer);
    void releaseAll();

   private:
    void trim();

    Budget& mBudget;
    std::vector<std::unique_ptr<Buffer>> mBuffers;
    Buffer::Free mFree;
};

}  // namespace nn
