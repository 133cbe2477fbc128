// cutils/native_handle.h -- native_handle_t, descriptors and integers of an object of the system.
#pragma once

#include "nnapi/hal/hidl.h"

using native_handle_t = ::nn::hidl::native_handle_t;
using native_handle = native_handle_t;
using buffer_handle_t = const native_handle_t*;

using ::nn::hidl::native_handle_clone;
using ::nn::hidl::native_handle_close;
using ::nn::hidl::native_handle_create;
using ::nn::hidl::native_handle_delete;

// The most that a handle holds.
inline constexpr int NATIVE_HANDLE_MAX_FDS = 1024;
inline constexpr int NATIVE_HANDLE_MAX_INTS = 1024;

// Marks of who owns descriptors, which Linux does not have.
inline void native_handle_set_fdsan_tag(const native_handle_t*) {}
inline void native_handle_unset_fdsan_tag(const native_handle_t*) {}
inline int native_handle_close_with_tag(const native_handle_t* handle) {
    return native_handle_close(handle);
}
