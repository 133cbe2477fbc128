// The memory of one execution: how much it may be, and buffers that are used again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "nnapi/memory.h"
#include "opkit/kernels/memory.h"

namespace nn {

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
