// nnapi/hal/aidl/ndk.h -- Stand-in for the NDK's ScopedFileDescriptor.
//
//   ndk::ScopedFileDescriptor fd(open("weights", O_RDONLY));
//   mappable.fd = std::move(fd);                       // move-only; nnapi/hal/aidl/clone.h copies
//
// Spelled as in android/binder_auto_utils.h, so that code for one compiles with the other. As with
// UniqueFd, two descriptors are equal if both are open on the same file.
#pragma once

#include <utility>

#include "nnapi/types.h"

namespace ndk {

// Owns one file descriptor; -1 is empty.
class ScopedFileDescriptor {
   public:
    ScopedFileDescriptor() = default;
    explicit ScopedFileDescriptor(int fd) : mFd(fd) {}
    ScopedFileDescriptor(ScopedFileDescriptor&&) noexcept = default;
    ScopedFileDescriptor& operator=(ScopedFileDescriptor&&) noexcept = default;

    int get() const { return mFd.get(); }
    void set(int fd) { mFd.reset(fd); }
    int release() { return mFd.release(); }

    // A duplicate of the descriptor; -1 if there is none.
    ScopedFileDescriptor dup() const {
        return ScopedFileDescriptor(nn::duplicate(get()).release());
    }

    bool operator==(const ScopedFileDescriptor&) const = default;
    bool operator<(const ScopedFileDescriptor& other) const { return get() < other.get(); }

   private:
    nn::UniqueFd mFd;
};

}  // namespace ndk
