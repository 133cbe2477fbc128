// Checks a client's descriptors before anything reads or polls them.
//
// A client can send a file of a file system of its own (FUSE), or a device, of which a read, a
// poll, and even fstat and fstatfs wait for somebody who never answers. None of these functions
// asks a file system: the kernel alone says what a descriptor is.
#pragma once

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::service {

// OK for what is read and written without waiting for anybody: memory of the kernel (memfd, tmpfs,
// hugetlbfs), and regular files of this machine's disks. Files of other file systems count where
// they are on a mount that this process sees, of a kind that the system alone mounts (btrfs,
// overlay ...). INVALID_ARGUMENT for all others. Of memories, and of files of caches.
Status checkFile(int fd);

// The same for the files of a memory that is read as one. Memories of other kinds are not.
Status checkFiles(const Memory& memory);

// OK for what is polled without waiting for anybody: pipes, sockets, and what has no file (eventfd,
// sync_file ...). INVALID_ARGUMENT for all others. Of fences.
Status checkFence(int fd);

}  // namespace nn::service
