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
#include <span>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// size bytes of anonymous shared memory (a memfd), zeroed, which nobody can shorten, and which may
// be sealed further. Size 0 and sizes that the system does not give fail.
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

// Maps a memory. Fails for null, for kinds that a host cannot map (hardware buffers, unknown), for
// memory that may be neither read nor written, and where the file is shorter than the memory
// claims, so that no access behind its end can fault. Whoever can shorten the file later can still
// end a process that touches the mapping (SIGBUS): what comes from a peer is mapped only where
// cannotShrink() says so, else read and written with the functions below.
Result<Mapping> map(const SharedMemory& memory);

// True where the file of a memory is sealed against shortening; where it is also sealed against
// writing.
bool cannotShrink(const SharedMemory& memory);
bool cannotChange(const SharedMemory& memory);

// Seals the memory for good: nobody can write to it, shorten it or lengthen it any more, and
// mappings of it are read-only. Constants of a model in such memory are read where they lie; all
// others are copied when the model is prepared. Fails where the file is no memfd that allows seals,
// and as long as anybody has a mapping of it that is not read-only.
Status sealMemory(const SharedMemory& memory);

// Copies bytes from a memory, or into it, without mapping it. Fails as map() does, and where the
// bytes are not part of the memory or of its file, also if the file is shortened meanwhile.
Status readMemory(const SharedMemory& memory, uint64_t offset, std::span<uint8_t> bytes);
Status writeMemory(const SharedMemory& memory, uint64_t offset, std::span<const uint8_t> bytes);

}  // namespace nn
