// A process that has no file descriptors left.
#pragma once

#include <sys/resource.h>

namespace nn {

// While this exists, the descriptors that are open stay so, and no other can be opened.
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
