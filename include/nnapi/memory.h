// nnapi/memory.h -- making, mapping and growing shared memory.
//
//   nn::Result<nn::SharedMemory> pool = nn::createSharedMemory(4096);
//   nn::Result<nn::Mapping> mapping = nn::map(*pool);
//   std::memcpy(mapping->mutableData(), weights, size);
//
// A mapping keeps the memory alive and is unmapped with its last copy. Thread-safe; the bytes
// behind a mapping are shared with everybody who maps the same memory.
#pragma once

#include <cstddef>
#include <memory>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// size bytes of anonymous shared memory (a memfd), zeroed. Size 0 and sizes that the system does
// not give fail.
Result<SharedMemory> createSharedMemory(size_t size);

// size bytes of a file from a page-aligned offset. prot: PROT_READ | PROT_WRITE bits. The
// descriptor is duplicated.
Result<SharedMemory> createSharedMemory(size_t size, int prot, int fd, size_t offset);

// Where a shared memory is visible in this process.
class Mapping {
   public:
    const uint8_t* data() const { return mData; }
    // Null when the memory is read-only.
    uint8_t* mutableData() const { return mWritable ? mData : nullptr; }
    size_t size() const { return mSize; }

   private:
    friend Result<Mapping> map(const SharedMemory& memory);
    std::shared_ptr<const void> mOwner;
    uint8_t* mData = nullptr;
    size_t mSize = 0;
    bool mWritable = false;
};

// Maps a memory. Fails for null, for kinds that a host cannot map (hardware buffers, unknown),
// where the file is shorter than the memory claims, so that no access behind its end can fault, and
// where prot allows neither reading nor writing.
Result<Mapping> map(const SharedMemory& memory);

}  // namespace nn
