#include "base/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace nn {
namespace {

constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
static_assert(kMinForLargePages >= 2 * kLargePage);

}  // namespace

void adviseLargePages([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
    const auto begin = reinterpret_cast<uintptr_t>(data);
    const uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
    const uintptr_t last = (begin + bytes) / kLargePage * kLargePage;
    // If the kernel has no large pages, small ones suffice.
    (void)madvise(static_cast<uint8_t*>(data) + (first - begin), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace nn
