// sync/sync.h -- fences, as libsync has them; see android/sync.h.
#pragma once

#include "android/sync.h"

extern "C" {

// 0 once the fence is signalled. -1, and errno is ETIME after the timeout in milliseconds (a
// negative one is none), EINVAL for a fence that failed.
int sync_wait(int fd, int timeout);

}  // extern "C"
