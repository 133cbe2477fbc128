// Simulates a process that has no free file descriptors.
#pragma once

#include <sys/resource.h>

namespace nn {

// During the lifetime of this object no further descriptor can be opened.
class NoDescriptors {
   public:
    NoDescriptors() {
        getrlimit(RLIMIT_NOFILE, &mBefore);
        const rlimit none{.rlim_cur = 0, .rlim_max = mBefore.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &mBefore); }

   private:
    rlimit mBefore{};
};

}  // namespace nn
