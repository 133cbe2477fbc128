// Repeats pread or pwrite until all bytes are transferred.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>

namespace nn {

// Calls transfer(done), a pread or pwrite of the remaining bytes, until `size` bytes are
// transferred. Returns the number of bytes; if it is smaller, errno has the reason, with 0 for the
// end of the file.
template <class Transfer>
size_t transferAll(size_t size, Transfer transfer) {
    size_t done = 0;
    while (done < size) {
        const ssize_t count = transfer(done);
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) errno = 0;
        if (count <= 0) break;
        done += static_cast<size_t>(count);
    }
    return done;
}

}  // namespace nn
