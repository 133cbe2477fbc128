#include "opkit/kernels/memory.h"

#include <algorithm>
#include <cstring>

#include "nnapi/checked.h"

namespace nn {
namespace {

constexpr size_t kMostShift = kBufferAlignment - __STDCPP_DEFAULT_NEW_ALIGNMENT__;

// An aligned part of a larger block is found much faster than a block is aligned. Sanitizers want
// to know where each block ends.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif
constexpr size_t kSmall = kIsSanitized ? 0 : 960;

// From this size on, calloc knows that most pages come from the system, which has cleared them:
// they are not touched before somebody needs them.
constexpr size_t kLarge = size_t{1} << 20;

uint8_t shiftOf(const uint8_t* block) {
    return static_cast<uint8_t>(-reinterpret_cast<uintptr_t>(block) %
                                static_cast<uintptr_t>(kBufferAlignment));
}

}  // namespace

AlignedMemory::AlignedMemory(uint64_t bytes) {
    using From = Delete::From;
    const auto size = checkedCast<size_t>(std::max<uint64_t>(bytes, 1));
    if (!size || *size > SIZE_MAX - kMostShift) throw std::bad_alloc();
    if (*size >= kLarge) {
        auto* block = static_cast<uint8_t*>(std::calloc(*size + kMostShift, 1));
        if (block == nullptr) throw std::bad_alloc();
        const uint8_t shift = shiftOf(block);
        mData = {block + shift, Delete(From::CALLOC, shift)};
        return;
    }
    if (*size > kSmall) {
        mData = {static_cast<uint8_t*>(::operator new(*size, std::align_val_t(kBufferAlignment))),
                 Delete(From::ALIGNED_NEW, 0)};
    } else {
        auto* block = static_cast<uint8_t*>(::operator new(*size + kMostShift));
        const uint8_t shift = shiftOf(block);
        mData = {block + shift, Delete(From::NEW, shift)};
    }
    std::memset(mData.get(), 0, *size);
}

void poison(ops::MutableBytes memory, uint64_t bytes, uint8_t seed) {
    constexpr uint64_t kStep = 89;  // odd, so that 256 places have 256 bytes
    for (uint64_t i = 0; i < bytes; ++i) memory[i] = static_cast<uint8_t>(seed + i * kStep);
}

}  // namespace nn
