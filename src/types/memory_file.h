// Anonymous files for shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A zeroed file of that size that nobody can shorten, so that a mapping of it can always be
// touched.
Result<UniqueFd> newMemoryFile(uint64_t size);

// The range of a file that a memory is. The memory must outlive it.
class MemoryFile {
   public:
    // Fails where the memory has no such range: null, of a kind without a file, may be neither read
    // nor written, or the file is too short.
    static Result<MemoryFile> of(const SharedMemory& memory);

    int fd() const { return mFd; }
    size_t size() const { return mSize; }
    size_t offset() const { return mOffset; }
    // False where the memory, its descriptor (one that appends, too) or a seal forbids it.
    bool isWritable() const;

    // Copies bytes from the range, or into it. Fails where they are not part of it, or of the file,
    // which somebody may shorten meanwhile.
    Status read(uint64_t offset, std::span<uint8_t> bytes) const;
    Status write(uint64_t offset, std::span<const uint8_t> bytes) const;

   private:
    Status checkSize() const;

    int mFd = -1;
    size_t mSize = 0;
    size_t mOffset = 0;
    int mProt = 0;
};

}  // namespace nn
