// cutils/ashmem.h -- anonymous shared memory.
//
//   int fd = ashmem_create_region("scratch", 4096);
//
// A memfd, which is as Android's: it keeps its size, and protection can be taken from it, but not
// given back. Nothing is ever purged, so pins have no effect.
#pragma once

#include <cstddef>

extern "C" {

inline constexpr int ASHMEM_NOT_PURGED = 0;
inline constexpr int ASHMEM_WAS_PURGED = 1;
inline constexpr int ASHMEM_IS_UNPINNED = 0;
inline constexpr int ASHMEM_IS_PINNED = 1;

// Whether it is such a memory: 1 or 0.
int ashmem_valid(int fd);
// A descriptor; -1, and errno says why.
int ashmem_create_region(const char* name, size_t size);
// Without PROT_WRITE: no process can map it for writing any more; mappings that exist stay. 0 or
// -1.
int ashmem_set_prot_region(int fd, int prot);
int ashmem_pin_region(int fd, size_t offset, size_t length);
int ashmem_unpin_region(int fd, size_t offset, size_t length);
// Bytes, or -1.
int ashmem_get_size_region(int fd);

}  // extern "C"
