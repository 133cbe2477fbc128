// The memory of one execution: bounded, with buffers that are reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "nnapi/memory.h"
#include "op_support/kernels/memory.h"

namespace nn {

// A shared memory that is sealed against writing and shrinking.
class SealedMemory {
   public:
    // Fails if the memory is not sealed in this way, or cannot be mapped.
    static Result<SealedMemory> map(const SharedMemory& memory);

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

// Buffers for values whose size is known only during execution. Released buffers are reused, so
// that repeated executions allocate only once. Acquiring and releasing are logarithmic in the
// number of free buffers, and freeing them all is linear in it; releasing does not allocate.
class BufferPool {
   public:
    explicit BufferPool(Budget& budget) : mBudget(budget) {}

    // The smallest free buffer of that many bytes or more, else a new one. Never null, even for 0
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
