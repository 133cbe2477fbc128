#include <sys/mman.h>
#include <unistd.h>

#include <limits>

#include "model_generation/memories.h"
#include "nnapi/generate/generate.h"
#include "types/operation_count.h"

namespace nn::testing {

uint8_t Source::byte() { return mUsed < mBytes.size() ? mBytes[mUsed++] : 0; }

uint64_t Source::number() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
}

uint64_t Source::below(uint64_t bound) {
    if (bound <= 1) return 0;
    uint64_t value = byte();
    for (uint64_t span = 256; span < bound && span != 0; span <<= 8) value = value << 8 | byte();
    return value % bound;
}

float Source::real() {
    switch (below(16)) {
        case 12:
            return std::numeric_limits<float>::quiet_NaN();
        case 13:
            return std::numeric_limits<float>::infinity();
        case 14:
            return -std::numeric_limits<float>::max();
        case 15:
            return std::numeric_limits<float>::denorm_min();
        default:
            return static_cast<float>(static_cast<int>(below(33)) - 16) / 4;
    }
}

std::span<const int64_t> interestingCodes() {
    static constexpr int64_t kLast = kOperationCount - 1, kNone = kOperationCount;
    static constexpr int64_t kCodes[] = {
            0,   1,   2,     3,     4,  5,     6,     7,     8,       9,       10,       11,
            12,  13,  14,    15,    16, 22,    25,    29,    38,      95,      96,       97,
            101, 102, kLast, kNone, -1, 10000, 10001, 10002, 0x10001, 0x20003, INT32_MAX};
    return kCodes;
}

std::string anyText(Source& source) {
    static const std::string kTexts[] = {"",
                                         "a",
                                         "com.example.extension",
                                         "com.example.other",
                                         "ashmem",
                                         "mmap_fd",
                                         "hardware_buffer",
                                         "hardware_buffer_blob",
                                         "..",
                                         "UPPER.case",
                                         "\xff\xfe",
                                         std::string(1000, 'x')};
    return source.pick<std::string>(kTexts);
}

SharedMemory anyMemory(Source& source) {
    switch (source.below(8)) {
        case 5:
            return nullptr;
        case 6:
            return std::make_shared<const Memory>(Memory{Memory::Ashmem{}});
        case 7:
            return std::make_shared<const Memory>(
                    Memory{Memory::Fd{.size = any<size_t>(source),
                                      .prot = any<int>(source),
                                      .fd = {},
                                      .offset = any<size_t>(source)}});
        default:
            return validMemory(source, source.oneIn(4) ? HalVersion::AIDL4 : HalVersion::V1_3,
                               1 + source.below(64));
    }
}

hidl::hidl_handle anyHidlHandle(Source& source) {
    hidl::hidl_handle handle;
    if (source.oneIn(4)) return handle;
    hidl::native_handle_t* native = hidl::native_handle_create(static_cast<int>(source.below(3)),
                                                               static_cast<int>(source.below(5)));
    for (int i = 0; i < native->numFds; ++i) native->data[i] = memfd_create("any", MFD_CLOEXEC);
    for (int i = 0; i < native->numInts; ++i) native->data[native->numFds + i] = any<int>(source);
    handle.setTo(native, /*shouldOwn=*/true);
    return handle;
}

::ndk::ScopedFileDescriptor anyFileDescriptor(Source& source) {
    switch (source.below(8)) {
        case 6:
            return {};
        case 7:
            return ::ndk::ScopedFileDescriptor(INT32_MAX);  // an invalid descriptor
        default:
            return ::ndk::ScopedFileDescriptor(memfd_create("any", MFD_CLOEXEC));
    }
}

hidl::hidl_memory anyHidlMemory(Source& source) {
    return {anyText(source), anyHidlHandle(source), any<uint64_t>(source)};
}

}  // namespace nn::testing
