#include "op_support/kernels/memory.h"

#include <algorithm>
#include <cstring>

#include "nnapi/checked_math.h"

namespace nn {
namespace {

constexpr size_t kMaxShift = kBufferAlignment - __STDCPP_DEFAULT_NEW_ALIGNMENT__;

// Cutting an aligned part out of a larger block is much faster than aligned allocation. Sanitizers
// need to know where each block ends.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif
constexpr size_t kSmall = kIsSanitized ? 0 : 960;

// From this size on calloc gets most pages zeroed from the system, without touching them.
constexpr size_t kLarge = size_t{1} << 20;

uint8_t shiftOf(const uint8_t* block) {
    return static_cast<uint8_t>(-reinterpret_cast<uintptr_t>(block) %
                                static_cast<uintptr_t>(kBufferAlignment));
}

}  // namespace

AlignedMemory::AlignedMemory(uint64_t bytes, Contents contents) {
    using From = Delete::From;
    const auto size = checkedCast<size_t>(std::max<uint64_t>(bytes, 1));
    if (!size || *size > SIZE_MAX - kMaxShift) throw std::bad_alloc();
    const bool isZeroed = contents == Contents::ZEROS;
    if (isZeroed && *size >= kLarge) {
        auto* block = static_cast<uint8_t*>(std::calloc(*size + kMaxShift, 1));
        if (block == nullptr) throw std::bad_alloc();
        const uint8_t shift = shiftOf(block);
        mData = {block + shift, Delete(From::CALLOC, shift)};
        return;
    }
    if (*size > kSmall) {
        mData = {static_cast<uint8_t*>(::operator new(*size, std::align_val_t(kBufferAlignment))),
                 Delete(From::ALIGNED_NEW, 0)};
    } else {
        auto* block = static_cast<uint8_t*>(::operator new(*size + kMaxShift));
        const uint8_t shift = shiftOf(block);
        mData = {block + shift, Delete(From::NEW, shift)};
    }
    if (isZeroed) std::memset(mData.get(), 0, *size);
}

void poison(ops::MutableBytes memory, uint64_t bytes, uint8_t seed) {
    constexpr uint64_t kStep = 89;  // odd, so that 256 positions have 256 values
    for (uint64_t i = 0; i < bytes; ++i) memory[i] = static_cast<uint8_t>(seed + i * kStep);
}

}  // namespace nn
