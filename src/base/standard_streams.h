// Keeps the library's file descriptors off 0 to 2, the standard streams. If a program has closed
// them, the system assigns their numbers to the next files that are opened, and code that logs to
// standard error would write to such a file: to shared memory, or to a peer.
#pragma once

#include "nnapi/unique_fd.h"

namespace nn {

// Takes ownership of a new descriptor, and moves it (close-on-exec) if it has the number of a
// standard stream. Empty if it is negative, or if the process has no other number left; errno has
// the reason.
UniqueFd aboveStandardStreams(int fd);

// Opens the closed standard streams on /dev/null, permanently: for third-party code, which uses any
// descriptor. Ignores failures.
void openStandardStreams();

}  // namespace nn
