// nnapi/memory.h -- Creates, maps, seals and copies shared memory.
//
//   nn::Result<nn::SharedMemory> pool = nn::createSharedMemory(4096);
//   nn::Result<nn::Mapping> mapping = nn::map(*pool);
//   std::memcpy(mapping->mutableData(), weights, size);
//
// A mapping keeps the memory alive and is unmapped with its last copy. Thread-safe; everyone who
// maps a memory sees the same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// Creates `size` bytes of zeroed anonymous memory (a memfd). It cannot be shortened and can be
// sealed further. Fails for size 0 and if the system has no memory.
Result<SharedMemory> createSharedMemory(size_t size);

// Creates memory for `size` bytes of a file from a page-aligned offset. prot: PROT_READ, PROT_WRITE
// or both. The descriptor is duplicated.
Result<SharedMemory> createSharedMemory(size_t size, int prot, int fd, size_t offset);

// The mapping of a shared memory into this process.
class Mapping {
   public:
    // The first of size() bytes; valid while a copy of the mapping lives.
    const uint8_t* data() const { return mData; }

    // Null if the memory is read-only.
    uint8_t* mutableData() const { return mWritable ? mData : nullptr; }
    // Bytes of the memory that was mapped.
    size_t size() const { return mSize; }

   private:
    friend Result<Mapping> map(const SharedMemory& memory);
    std::shared_ptr<const void> mOwner;
    uint8_t* mData = nullptr;
    size_t mSize = 0;
    bool mWritable = false;
};

// Maps a memory. Fails for null, for kinds that cannot be mapped on a host (images in hardware
// buffers, unknown), for memory without read or write access, and if the file is shorter than the
// memory claims. A peer that shortens the file later can still end the process with SIGBUS when it
// accesses the mapping. Map memory from a peer only if cannotShrink() is true; otherwise use
// readMemory() and writeMemory().
Result<Mapping> map(const SharedMemory& memory);

// True if the file is sealed against shortening; cannotChange: also against writing.
bool cannotShrink(const SharedMemory& memory);
bool cannotChange(const SharedMemory& memory);

// Seals the memory permanently against writing, shortening and growing; mappings are read-only from
// then on. Model constants in sealed memory are read in place, all others are copied when the model
// is prepared. Fails if the file is not a memfd that allows seals, and while a writable mapping
// exists.
Status sealMemory(const SharedMemory& memory);

// Copies bytes from or to a memory without mapping it; offset in bytes. Fails as map() does, and if
// the range exceeds the memory or its file, even if the file is shortened during the call.
Status readMemory(const SharedMemory& memory, uint64_t offset, std::span<uint8_t> bytes);
Status writeMemory(const SharedMemory& memory, uint64_t offset, std::span<const uint8_t> bytes);

}  // namespace nn
