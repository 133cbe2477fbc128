// android-base/unique_fd.h -- unique_fd, which owns a file descriptor.
//
//   android::base::unique_fd fd(open(path, O_RDONLY | O_CLOEXEC));
//   if (!fd.ok()) return false;
//
// It is an nn::UniqueFd that converts to its descriptor, so that one becomes the other when moved.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "android-base/macros.h"
#include "nnapi/types.h"

namespace android::base {

class unique_fd : public ::nn::UniqueFd {
   public:
    unique_fd() = default;
    explicit unique_fd(int fd) : UniqueFd(fd) {}
    unique_fd(UniqueFd&& other) noexcept : UniqueFd(std::move(other)) {}
    unique_fd(unique_fd&&) noexcept = default;
    unique_fd& operator=(unique_fd&&) noexcept = default;

    operator int() const { return get(); }
    bool operator!() const = delete;  // 0 is a descriptor, too
};

// A descriptor that someone else owns.
struct borrowed_fd {
    borrowed_fd(int descriptor) : fd(descriptor) {}
    borrowed_fd(const ::nn::UniqueFd& owner) : fd(owner.get()) {}
    int get() const { return fd; }
    bool operator>=(int other) const { return fd >= other; }
    bool operator<(int other) const { return fd < other; }
    bool operator==(int other) const { return fd == other; }

    int fd;
};

// False if there are no descriptors left.
inline bool Pipe(unique_fd* read, unique_fd* write, int flags = O_CLOEXEC) {
    int ends[2];
    if (pipe2(ends, flags) != 0) return false;
    read->reset(ends[0]);
    write->reset(ends[1]);
    return true;
}
inline bool Socketpair(int domain, int type, int protocol, unique_fd* left, unique_fd* right) {
    int ends[2];
    if (socketpair(domain, type | SOCK_CLOEXEC, protocol, ends) != 0) return false;
    left->reset(ends[0]);
    right->reset(ends[1]);
    return true;
}
inline bool Socketpair(int type, unique_fd* left, unique_fd* right) {
    return Socketpair(AF_UNIX, type, 0, left, right);
}

inline FILE* Fdopen(unique_fd&& fd, const char* mode) {
    FILE* const file = fdopen(fd.get(), mode);
    if (file != nullptr) (void)fd.release();
    return file;
}

}  // namespace android::base
