// android-base/mapped_file.h -- MappedFile, a range of a file in memory.
//
//   auto weights = android::base::MappedFile::FromFd(fd, offset, length, PROT_READ);
//   if (weights == nullptr) return false;
#pragma once

#include <sys/mman.h>
#include <sys/types.h>

#include <cstddef>
#include <memory>

#include "android-base/unique_fd.h"

namespace android::base {

class MappedFile {
   public:
    // The offset need not be at a page. Null, and errno says why. No bytes are an empty mapping.
    static std::unique_ptr<MappedFile> FromFd(borrowed_fd fd, off64_t offset, size_t length,
                                              int prot);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    char* data() const { return mBase + mOffset; }
    size_t size() const { return mSize; }

   private:
    MappedFile(char* base, size_t size, size_t offset)
        : mBase(base), mSize(size), mOffset(offset) {}

    char* mBase;
    size_t mSize;
    size_t mOffset;  // of the range in its first page
};

}  // namespace android::base
