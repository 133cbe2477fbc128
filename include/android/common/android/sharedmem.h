// android/sharedmem.h -- shared memory, as the NDK has it; see cutils/ashmem.h.
#pragma once

#include "cutils/ashmem.h"

// A descriptor; -1, and errno says why.
inline int ASharedMemory_create(const char* name, size_t size) {
    return ashmem_create_region(name, size);
}
// 0 for a descriptor of other memory.
inline size_t ASharedMemory_getSize(int fd) {
    const int size = ashmem_get_size_region(fd);
    return size < 0 ? 0 : static_cast<size_t>(size);
}
inline int ASharedMemory_setProt(int fd, int prot) { return ashmem_set_prot_region(fd, prot); }
