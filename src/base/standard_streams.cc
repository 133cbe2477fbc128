#include "base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace nn {

UniqueFd aboveStandardStreams(int fd) {
    if (fd < 0 || fd > STDERR_FILENO) return UniqueFd(fd);
    UniqueFd moved = duplicate(fd);
    const int why = errno;
    close(fd);
    errno = why;
    return moved;
}

void openStandardStreams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        // The lowest free number, which is this one unless another thread has used it in the
        // meantime.
        const int fd = open("/dev/null", O_RDWR);
        if (fd != stream && fd >= 0) close(fd);
    }
}

}  // namespace nn
