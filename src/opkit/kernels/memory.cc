#include "opkit/kernels/memory.h"

#include <algorithm>

#include "nnapi/checked.h"

namespace nn {

AlignedMemory::AlignedMemory(uint64_t bytes) {
    const auto size = checkedCast<size_t>(std::max<uint64_t>(bytes, 1));
    if (!size) throw std::bad_alloc();
    mData.reset(static_cast<uint8_t*>(::operator new(*size, std::align_val_t(kBufferAlignment))));
}

}  // namespace nn
