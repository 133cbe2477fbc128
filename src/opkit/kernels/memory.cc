#include "opkit/kernels/memory.h"

#include <algorithm>

#include "nnapi/checked.h"

namespace nn {
namespace {

// Up to this size, an aligned part of a larger block is found much faster than a block is aligned.
// Sanitizers want to know where each block ends.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kSmall = 0;
#else
constexpr size_t kSmall = 960;
#endif

}  // namespace

AlignedMemory::AlignedMemory(uint64_t bytes) {
    const auto size = checkedCast<size_t>(std::max<uint64_t>(bytes, 1));
    if (!size) throw std::bad_alloc();
    if (*size > kSmall) {
        mData.reset(
                static_cast<uint8_t*>(::operator new(*size, std::align_val_t(kBufferAlignment))));
        return;
    }
    constexpr size_t kMostShift = kBufferAlignment - __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    static_assert(kMostShift < Delete::kAligned);
    auto* block = static_cast<uint8_t*>(::operator new(*size + kMostShift));
    const auto shift = static_cast<uint8_t>(-reinterpret_cast<uintptr_t>(block) %
                                            static_cast<uintptr_t>(kBufferAlignment));
    mData = {block + shift, Delete(shift)};
}

}  // namespace nn
