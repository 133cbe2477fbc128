// vndk/hardware_buffer.h -- the handle of an AHardwareBuffer.
//
//   const native_handle_t* handle = AHardwareBuffer_getNativeHandle(buffer);
//
// Its first descriptor is shared memory of as many bytes as the blob is wide.
#pragma once

#include "android/hardware_buffer.h"
#include "cutils/native_handle.h"

// REGISTER takes the handle over, unless it fails.
enum CreateFromHandleMethod {
    AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER = 2,
    AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE = 3,
};

extern "C" {

// Owned by the buffer.
const native_handle_t* AHardwareBuffer_getNativeHandle(const AHardwareBuffer* buffer);
int AHardwareBuffer_createFromHandle(const AHardwareBuffer_Desc* description,
                                     const native_handle_t* handle, int32_t method,
                                     AHardwareBuffer** buffer);

}  // extern "C"
