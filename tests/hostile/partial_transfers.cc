#include "hostile/partial_transfers.h"

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace nn::hostile {

thread_local Transfers transfers;

namespace {

// One call within the limits of `transfers`.
ssize_t transfer(long call, int fd, void* bytes, size_t size, off_t offset) {
    const size_t number = ++transfers.calls;
    if (transfers.failing != 0 && number >= transfers.failing) {
        errno = transfers.error;
        return transfers.error == 0 ? 0 : -1;
    }
    if (transfers.interrupted != 0 && number % transfers.interrupted == 0) {
        errno = EINTR;
        return -1;
    }
    return syscall(call, fd, bytes, std::min(size, transfers.most), offset);
}

}  // namespace
}  // namespace nn::hostile

extern "C" {

ssize_t pread(int fd, void* bytes, size_t size, off_t offset) {
    return nn::hostile::transfer(SYS_pread64, fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return nn::hostile::transfer(SYS_pwrite64, fd, const_cast<void*>(bytes), size, offset);
}
}
