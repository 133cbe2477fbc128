// android/hardware_buffer.h -- AHardwareBuffer, memory that devices share.
//
//   const AHardwareBuffer_Desc blob = {.width = size, .height = 1, .layers = 1,
//                                      .format = AHARDWAREBUFFER_FORMAT_BLOB,
//                                      .usage = AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN};
//   AHardwareBuffer* buffer = nullptr;
//   if (AHardwareBuffer_allocate(&blob, &buffer) != 0) ...
//
// Only blobs, over shared memory: images need an allocator of graphics, which Linux does not have,
// and are rejected with -EINVAL. Functions return 0 or a negative errno. A buffer is counted, and
// thread-safe.
#pragma once

#include <cstdint>

struct ARect {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
};

enum AHardwareBuffer_Format {
    AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM = 1,
    AHARDWAREBUFFER_FORMAT_R8G8B8X8_UNORM = 2,
    AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM = 3,
    AHARDWAREBUFFER_FORMAT_R5G6B5_UNORM = 4,
    AHARDWAREBUFFER_FORMAT_R16G16B16A16_FLOAT = 0x16,
    AHARDWAREBUFFER_FORMAT_BLOB = 0x21,
    AHARDWAREBUFFER_FORMAT_Y8Cb8Cr8_420 = 0x23,
    AHARDWAREBUFFER_FORMAT_R10G10B10A2_UNORM = 0x2b,
    AHARDWAREBUFFER_FORMAT_D16_UNORM = 0x30,
    AHARDWAREBUFFER_FORMAT_D24_UNORM = 0x31,
    AHARDWAREBUFFER_FORMAT_D24_UNORM_S8_UINT = 0x32,
    AHARDWAREBUFFER_FORMAT_D32_FLOAT = 0x33,
    AHARDWAREBUFFER_FORMAT_D32_FLOAT_S8_UINT = 0x34,
    AHARDWAREBUFFER_FORMAT_S8_UINT = 0x35,
};

enum AHardwareBuffer_UsageFlags : uint64_t {
    AHARDWAREBUFFER_USAGE_CPU_READ_NEVER = 0,
    AHARDWAREBUFFER_USAGE_CPU_READ_RARELY = 2,
    AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN = 3,
    AHARDWAREBUFFER_USAGE_CPU_READ_MASK = 0xF,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_NEVER = 0,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_RARELY = 2 << 4,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN = 3 << 4,
    AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK = 0xF << 4,
    AHARDWAREBUFFER_USAGE_GPU_SAMPLED_IMAGE = 1 << 8,
    AHARDWAREBUFFER_USAGE_GPU_FRAMEBUFFER = 1 << 9,
    AHARDWAREBUFFER_USAGE_GPU_COLOR_OUTPUT = 1 << 9,
    AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT = 1 << 14,
    AHARDWAREBUFFER_USAGE_VIDEO_ENCODE = 1 << 16,
    AHARDWAREBUFFER_USAGE_SENSOR_DIRECT_DATA = 1 << 23,
    AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER = 1 << 24,
    AHARDWAREBUFFER_USAGE_GPU_CUBE_MAP = 1 << 25,
    AHARDWAREBUFFER_USAGE_GPU_MIPMAP_COMPLETE = 1 << 26,
};

struct AHardwareBuffer_Desc {
    uint32_t width;   // of a blob: bytes
    uint32_t height;  // of a blob: 1
    uint32_t layers;
    uint32_t format;
    uint64_t usage;
    uint32_t stride;
    uint32_t rfu0;  // 0
    uint64_t rfu1;  // 0
};

struct AHardwareBuffer;

extern "C" {

int AHardwareBuffer_allocate(const AHardwareBuffer_Desc* description, AHardwareBuffer** buffer);
void AHardwareBuffer_acquire(AHardwareBuffer* buffer);
void AHardwareBuffer_release(AHardwareBuffer* buffer);
void AHardwareBuffer_describe(const AHardwareBuffer* buffer, AHardwareBuffer_Desc* description);

// Maps the buffer; it may be locked several times. The usage is bits of CPU_READ and CPU_WRITE that
// the buffer has. Waits for the fence and closes it, unless it is -1. A rectangle is for images.
int AHardwareBuffer_lock(AHardwareBuffer* buffer, uint64_t usage, int32_t fence, const ARect* rect,
                         void** address);
// Where a fence is wanted, it is -1: nothing is left to be done.
int AHardwareBuffer_unlock(AHardwareBuffer* buffer, int32_t* fence);

// 1 if such a buffer could be allocated.
int AHardwareBuffer_isSupported(const AHardwareBuffer_Desc* description);
int AHardwareBuffer_getId(const AHardwareBuffer* buffer, uint64_t* id);

}  // extern "C"
