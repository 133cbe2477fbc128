// Native handles in Android's layout: a header, immediately followed by the numbers.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct native_handle_t {
    int version;  // sizeof(native_handle_t)
    int numFds;
    int numInts;
    int data[0];  // numFds descriptors, then numInts integers
};

constexpr int kMaxInNativeHandle = 1024;

inline native_handle_t* native_handle_create(int numFds, int numInts) {
    if (numFds < 0 || numInts < 0 || numFds > kMaxInNativeHandle || numInts > kMaxInNativeHandle) {
        errno = EINVAL;
        return nullptr;
    }
    const size_t count = static_cast<size_t>(numFds) + static_cast<size_t>(numInts);
    const size_t size = sizeof(native_handle_t) + sizeof(int) * count;
    auto* handle = static_cast<native_handle_t*>(malloc(size));
    if (handle == nullptr) return nullptr;
    handle->version = sizeof(native_handle_t);
    handle->numFds = numFds;
    handle->numInts = numInts;
    // Android leaves them uninitialized; -1 ensures that an unset descriptor is not closed.
    memset(handle->data, 0xff, sizeof(int) * count);
    return handle;
}

inline int native_handle_close(const native_handle_t* handle) {
    if (handle == nullptr) return 0;
    if (handle->version != sizeof(native_handle_t)) return -EINVAL;
    for (int i = 0; i < handle->numFds; ++i) {
        if (handle->data[i] >= 0) close(handle->data[i]);
    }
    return 0;
}

inline int native_handle_delete(native_handle_t* handle) {
    if (handle != nullptr && handle->version != sizeof(native_handle_t)) return -EINVAL;
    free(handle);
    return 0;
}

inline native_handle_t* native_handle_clone(const native_handle_t* handle) {
    if (handle == nullptr) return nullptr;
    native_handle_t* clone = native_handle_create(handle->numFds, handle->numInts);
    if (clone == nullptr) return nullptr;
    for (int i = 0; i < handle->numFds; ++i) {
        clone->data[i] = fcntl(handle->data[i], F_DUPFD_CLOEXEC, 0);
        if (clone->data[i] >= 0) continue;
        native_handle_close(clone);
        native_handle_delete(clone);
        return nullptr;
    }
    for (int i = handle->numFds; i < handle->numFds + handle->numInts; ++i) {
        clone->data[i] = handle->data[i];
    }
    return clone;
}
