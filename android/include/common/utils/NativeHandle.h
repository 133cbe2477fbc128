// utils/NativeHandle.h -- NativeHandle, a counted native handle.
//
//   const sp<NativeHandle> owner = NativeHandle::create(native_handle_clone(handle), true);
#pragma once

#include "cutils/native_handle.h"
#include "utils/RefBase.h"

namespace android {

class NativeHandle final : public LightRefBase<NativeHandle> {
   public:
    // Null for null. With `ownsHandle`, it is closed and deleted with the object.
    static sp<NativeHandle> create(native_handle_t* handle, bool ownsHandle) {
        return handle == nullptr ? nullptr : sp<NativeHandle>(new NativeHandle(handle, ownsHandle));
    }
    NativeHandle(const NativeHandle&) = delete;
    NativeHandle& operator=(const NativeHandle&) = delete;

    const native_handle_t* handle() const { return mHandle; }

   private:
    friend class LightRefBase<NativeHandle>;
    NativeHandle(native_handle_t* handle, bool ownsHandle)
        : mHandle(handle), mOwnsHandle(ownsHandle) {}
    ~NativeHandle() {
        if (!mOwnsHandle) return;
        native_handle_close(mHandle);
        native_handle_delete(mHandle);
    }

    native_handle_t* const mHandle;
    const bool mOwnsHandle;
};

}  // namespace android
