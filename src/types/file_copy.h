// Copies files into memory that no other process can change, for readers that work in place: a file
// that is mapped can be shortened or rewritten by other processes at any time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "nnapi/limits.h"
#include "nnapi/memory.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A memory file with a range of an open file, sealed against every change; holes of the file stay
// holes. Fails if the file is shorter, even if it is shortened during the call. Moves the position
// of the descriptor.
Result<UniqueFd> sealedCopy(int fd, uint64_t offset, uint64_t size);

// A regular file as sealed memory. Fails for an empty one.
Result<SharedMemory> readIntoMemory(const std::filesystem::path& path, const Limits& limits);

// The memory itself if it is sealed against every change, else a sealed copy.
Result<SharedMemory> sealedMemory(const SharedMemory& memory);

// Bytes of a memory that take space. Holes of its file take none.
uint64_t storedBytes(const SharedMemory& memory);

// A copy of some parts of a file, at their places, in memory of the size of the file. Parts that
// are not loaded take no memory. Not thread-safe.
class SparseCopy {
   public:
    // Of a file of that size, which is not 0; without any part.
    static Result<SparseCopy> create(uint64_t bytes);

    // Copies a part of the file.
    Status load(int fd, uint64_t offset, uint64_t size);

    // All bytes; those of parts that are not loaded are 0. Valid as long as this object.
    std::span<const uint8_t> bytes() const;

    // The memory; after seal(), no process can change it.
    const SharedMemory& memory() const { return mMemory; }
    Status seal() { return sealMemory(mMemory); }

   private:
    SharedMemory mMemory;
    std::shared_ptr<const void> mMapping;
    size_t mSize = 0;
};

}  // namespace nn
