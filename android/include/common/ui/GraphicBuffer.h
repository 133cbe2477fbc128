// ui/GraphicBuffer.h -- the memory of a handle, as HIDL drivers map hardware_buffer_blob.
//
//   sp<GraphicBuffer> buffer = new GraphicBuffer(pool.handle(), GraphicBuffer::CLONE_HANDLE,
//                                                pool.size(), 1, AHARDWAREBUFFER_FORMAT_BLOB, 1,
//                                                usage, pool.size());
//   if (buffer->lock(usage, &bytes) != NO_ERROR) ...
//
// It is an AHardwareBuffer of format BLOB.
#pragma once

#include <cstdint>

#include "utils/Errors.h"
#include "utils/RefBase.h"
#include "vndk/hardware_buffer.h"

namespace android {

using PixelFormat = int32_t;

class GraphicBuffer : public RefBase {
   public:
    // All but CLONE_HANDLE and WRAP_HANDLE take the handle over, unless they fail.
    enum HandleWrapMethod : uint8_t {
        WRAP_HANDLE,
        TAKE_HANDLE,
        TAKE_UNREGISTERED_HANDLE,
        CLONE_HANDLE
    };

    GraphicBuffer(const native_handle_t* from, HandleWrapMethod method, uint32_t width,
                  uint32_t height, PixelFormat format, uint32_t layerCount, uint64_t usage,
                  uint32_t stride) {
        const AHardwareBuffer_Desc description = {.width = width,
                                                  .height = height,
                                                  .layers = layerCount,
                                                  .format = static_cast<uint32_t>(format),
                                                  .usage = usage,
                                                  .stride = stride,
                                                  .rfu0 = 0,
                                                  .rfu1 = 0};
        const bool takes = method == TAKE_HANDLE || method == TAKE_UNREGISTERED_HANDLE;
        mStatus = AHardwareBuffer_createFromHandle(
                &description, from,
                takes ? AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER
                      : AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE,
                &mBuffer);
        if (mStatus == NO_ERROR) handle = AHardwareBuffer_getNativeHandle(mBuffer);
    }
    ~GraphicBuffer() override {
        if (mBuffer != nullptr) AHardwareBuffer_release(mBuffer);
    }
    GraphicBuffer(const GraphicBuffer&) = delete;
    GraphicBuffer& operator=(const GraphicBuffer&) = delete;

    status_t initCheck() const { return mStatus; }

    // A blob has no pixels: their bytes are -1.
    status_t lock(uint64_t usage, void** bytes, int32_t* bytesPerPixel = nullptr,
                  int32_t* bytesPerStride = nullptr) {
        if (mBuffer == nullptr) return mStatus;
        if (bytesPerPixel != nullptr) *bytesPerPixel = -1;
        if (bytesPerStride != nullptr) *bytesPerStride = -1;
        return AHardwareBuffer_lock(mBuffer, usage, /*fence=*/-1, /*rect=*/nullptr, bytes);
    }
    status_t unlock() {
        return mBuffer == nullptr ? mStatus : AHardwareBuffer_unlock(mBuffer, /*fence=*/nullptr);
    }

    AHardwareBuffer* toAHardwareBuffer() const { return mBuffer; }

    const native_handle_t* handle = nullptr;  // owned by this object

   private:
    AHardwareBuffer* mBuffer = nullptr;
    status_t mStatus = NO_ERROR;
};

}  // namespace android
