// nnapi/hal/aidl/ndk.h -- what the types of AIDL need of the NDK.
//
//   ndk::ScopedFileDescriptor fd(open("weights", O_RDONLY));
//   mappable.fd = std::move(fd);                       // move-only; nnapi/hal/aidl/clone.h copies
//
// Names and shape are those of android/binder_auto_utils.h, so that code for one compiles with the
// other. Like UniqueFd, two descriptors are equal where both are open on the same file.
#pragma once

#include <utility>

#include "nnapi/types.h"

namespace ndk {

// Owns one file descriptor; -1 owns none.
class ScopedFileDescriptor {
   public:
    ScopedFileDescriptor() = default;
    explicit ScopedFileDescriptor(int fd) : mFd(fd) {}
    ScopedFileDescriptor(ScopedFileDescriptor&&) noexcept = default;
    ScopedFileDescriptor& operator=(ScopedFileDescriptor&&) noexcept = default;

    int get() const { return mFd.get(); }
    void set(int fd) { mFd.reset(fd); }
    int release() { return mFd.release(); }

    // A new descriptor for the same open file; -1 where there is none.
    ScopedFileDescriptor dup() const {
        return ScopedFileDescriptor(nn::duplicate(get()).release());
    }

    bool operator==(const ScopedFileDescriptor&) const = default;

   private:
    nn::UniqueFd mFd;
};

}  // namespace ndk
