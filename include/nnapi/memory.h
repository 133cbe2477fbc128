// nnapi/memory.h -- making, mapping and growing shared memory.
//
//   nn::Result<nn::SharedMemory> pool = nn::createSharedMemory(4096);
//   nn::Result<nn::Mapping> mapping = nn::map(*pool);
//   std::memcpy(mapping->mutableData(), weights, size);
//
// A mapping keeps the memory alive and is unmapped with its last copy. Thread-safe; everybody who
// maps the same memory shares its bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// size bytes of anonymous shared memory (a memfd), zeroed. Nobody can shorten it, and it can be
// sealed further. Fails for size 0 and for sizes that the system does not give.
Result<SharedMemory> createSharedMemory(size_t size);

// size bytes of a file from a page-aligned offset. prot: PROT_READ | PROT_WRITE bits. The
// descriptor is duplicated.
Result<SharedMemory> createSharedMemory(size_t size, int prot, int fd, size_t offset);

// The addresses at which this process sees a shared memory.
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

// Maps a memory. Fails for null, for kinds that a host cannot map (hardware buffers, unknown), for
// memory that may be neither read nor written, and where the file is shorter than the memory
// claims, so that no access can fault past the end of the file. A peer that shortens the file later
// still ends a process that touches the mapping (SIGBUS). So map memory from a peer only where
// cannotShrink() is true; otherwise use the functions below.
Result<Mapping> map(const SharedMemory& memory);

// True where the file of a memory is sealed against shortening; the second: also against writing.
bool cannotShrink(const SharedMemory& memory);
bool cannotChange(const SharedMemory& memory);

// Seals the memory for good: nobody can write to it, shorten it or lengthen it any more, and
// mappings of it are read-only. Constants of a model in such memory are read in place; all others
// are copied when the model is prepared. Fails where the file is not a memfd that allows seals, and
// while anybody has a writable mapping of it.
Status sealMemory(const SharedMemory& memory);

// Copies bytes from a memory, or into it, without mapping it. Fails as map() does, and where the
// bytes are not part of the memory or of its file, even if the file is shortened meanwhile.
Status readMemory(const SharedMemory& memory, uint64_t offset, std::span<uint8_t> bytes);
Status writeMemory(const SharedMemory& memory, uint64_t offset, std::span<const uint8_t> bytes);

}  // namespace nn
