// Keeps descriptors of ours off the numbers of the standard streams, 0 to 2. Where a program has
// closed those, the system gives them to the next file that is opened, and whatever logs to
// standard error would write to it: to shared memory, or to a peer.
#pragma once

#include "nnapi/types.h"

namespace nn {

// Takes a new descriptor, and moves it (close-on-exec) if it has the number of a standard stream.
// Empty if it is negative, or if the process has no other number left; errno says why.
UniqueFd aboveStandardStreams(int fd);

// Opens the standard streams that are closed on /dev/null, for good: for code of others, which
// takes any number. Does nothing where that fails.
void openStandardStreams();

}  // namespace nn
