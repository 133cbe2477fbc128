#include "nnapi/hal/hidl.h"

#include <unistd.h>

#include <algorithm>

#include "nnapi/types.h"
#include "types/hidl_values.h"

namespace nn::hidl {
namespace {

constexpr int kMaxInHandle = 1024;

}  // namespace

native_handle_t* native_handle_create(int numFds, int numInts) {
    if (numFds < 0 || numInts < 0 || numFds > kMaxInHandle || numInts > kMaxInHandle)
        return nullptr;
    auto* handle = new native_handle_t{
            .version = sizeof(int) * 3, .numFds = numFds, .numInts = numInts, .data = {}};
    handle->data.assign(static_cast<size_t>(numFds), -1);
    handle->data.resize(static_cast<size_t>(numFds) + static_cast<size_t>(numInts), 0);
    return handle;
}

native_handle_t* native_handle_clone(const native_handle_t* handle) {
    if (handle == nullptr || !wellFormed(*handle)) return nullptr;
    native_handle_t* clone = native_handle_create(handle->numFds, handle->numInts);
    if (clone == nullptr) return nullptr;
    clone->version = handle->version;
    std::copy(handle->data.begin() + handle->numFds, handle->data.end(),
              clone->data.begin() + handle->numFds);
    for (int i = 0; i < handle->numFds; ++i) {
        clone->data[i] = duplicate(handle->data[i]).release();
        if (clone->data[i] >= 0) continue;
        native_handle_close(clone);
        native_handle_delete(clone);
        return nullptr;
    }
    return clone;
}

bool wellFormed(const native_handle_t& handle) {
    return handle.numFds >= 0 && handle.numInts >= 0 &&
           uint64_t{static_cast<uint32_t>(handle.numFds)} + static_cast<uint32_t>(handle.numInts) ==
                   handle.data.size();
}

int native_handle_close(const native_handle_t* handle) {
    if (handle == nullptr || !wellFormed(*handle)) return 0;
    for (int i = 0; i < handle->numFds; ++i) {
        if (handle->data[i] >= 0) close(handle->data[i]);
    }
    return 0;
}

int native_handle_delete(native_handle_t* handle) {
    delete handle;
    return 0;
}

void hidl_handle::setTo(native_handle_t* handle, bool shouldOwn) {
    if (shouldOwn) {
        mHandle = std::shared_ptr<const native_handle_t>(handle, [](const native_handle_t* owned) {
            native_handle_close(owned);
            delete owned;
        });
    } else {
        *this = handle;
    }
}

hidl_handle& hidl_handle::operator=(const native_handle_t* handle) {
    mHandle = std::shared_ptr<const native_handle_t>(std::shared_ptr<void>(), handle);
    return *this;
}

#ifdef NNAPI_STRICT_HAL
hidl_handle& hidl_handle::operator=(const hidl_handle& other) {
    if (this == &other) return *this;
    native_handle_t* clone = nullptr;
    if (other.mHandle != nullptr) {
        clone = native_handle_clone(other.mHandle.get());
        if (clone == nullptr) hal::endStrictProgram("a native handle cannot be cloned");
    }
    setTo(clone, /*shouldOwn=*/clone != nullptr);
    return *this;
}
#endif

bool hidl_handle::equals(const hidl_handle& other) const {
    return haveSameContents(getNativeHandle(), other.getNativeHandle());
}

}  // namespace nn::hidl
