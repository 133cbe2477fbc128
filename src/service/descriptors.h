// Checks a client's descriptors before anything reads or polls them.
//
// A client can send a file of its own file system (FUSE) or a device, where read, poll and even
// fstat and fstatfs may block indefinitely. These functions never call into a file system: they
// query only the kernel for the type of a descriptor.
#pragma once

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::service {

// OK if reads and writes cannot block: kernel memory (memfd, tmpfs, hugetlbfs) and regular files on
// local disks. Files of other file systems (btrfs, overlay ...) are allowed on mounts that this
// process sees and that only the system can mount. INVALID_ARGUMENT otherwise. For memories and
// cache files.
Status checkFile(int fd);

// The same for all files of a memory that is read as a whole. Memories of other kinds pass.
Status checkFiles(const Memory& memory);

// OK if polling cannot block: pipes, sockets and anonymous inodes (eventfd, sync_file ...).
// INVALID_ARGUMENT otherwise. For fences.
Status checkFence(int fd);

}  // namespace nn::service
