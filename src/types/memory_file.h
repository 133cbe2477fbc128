// Files of shared memory: anonymous ones, and access to the bytes of any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A zeroed file of that size, sealed against shrinking, so that its mappings are always accessible.
Result<UniqueFd> newMemoryFile(uint64_t size);

// The descriptor of the file that a memory is in; -1 for kinds that cannot be mapped.
int fileOf(const Memory& memory);

// A handle to the same memory. Once it has been used a few times and if its file cannot shrink, it
// keeps a mapping, from which MemoryFile reads without a system call, until its last copy is gone.
SharedMemory keepingMapping(SharedMemory memory);

// The file range that a memory refers to. The memory must outlive it.
class MemoryFile {
   public:
    // Fails if the memory has no such range: it is null, has no file, can be neither read nor
    // written, or its file is too short.
    static Result<MemoryFile> of(const SharedMemory& memory);

    int fd() const { return mFd; }
    size_t size() const { return mSize; }
    size_t offset() const { return mOffset; }
    // False if the memory or its descriptor (also one that appends) forbids it. A seal only shows
    // when bytes are written.
    bool mayBeWritable() const;
    bool isSealedAgainstWriting() const;

    // Copies bytes from the range or into it. Fails if they are outside the range or the file,
    // which another process may truncate at any time.
    Status read(uint64_t offset, std::span<uint8_t> bytes) const;
    Status write(uint64_t offset, std::span<const uint8_t> bytes) const;

    // Success unless the file ends before the range does.
    Status checkSize() const;

   private:
    // The range, mapped for reading for as long as the memory lives; null if it is not mapped.
    const uint8_t* mKept = nullptr;
    bool mIsConstant = false;  // known to be sealed against writing
    int mFd = -1;
    size_t mSize = 0;
    size_t mOffset = 0;
    int mProt = 0;
};

}  // namespace nn
