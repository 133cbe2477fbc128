// android/sync.h -- fences.
//
//   if (sync_wait(fence, /*timeout in milliseconds=*/1000) < 0) ...
//
// A fence is any descriptor that becomes readable once, as nn::SyncFence has it: a sync file of the
// kernel, an eventfd, a pipe.
#pragma once

#include <cstdint>

extern "C" {

// A fence that is signaled when both are. -1, and errno says why. Both descriptors stay open.
int32_t sync_merge(const char* name, int32_t fd1, int32_t fd2);

// 0 once the fence is signaled. -1, and errno is ETIME after the timeout in milliseconds (a
// negative one is none), EINVAL for a fence that failed.
int sync_wait(int fd, int timeout);

}  // extern "C"
