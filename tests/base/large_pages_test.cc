// madvise() for large memory.
#include "base/large_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nn::large_pages_test {
namespace {

TEST(LargePages, AdviceChangesNoByte) {
    constexpr size_t kSizes[] = {0, 1, kMinForLargePages - 1, kMinForLargePages,
                                 3 * kMinForLargePages + 1};
    for (const size_t bytes : kSizes) {
        for (const size_t offset : {0, 1, 4096}) {
            std::vector<uint8_t> memory(offset + bytes, 7);
            preferLargePages(memory.data() + offset, bytes);
            EXPECT_EQ(std::count(memory.begin(), memory.end(), 7),
                      static_cast<ptrdiff_t>(memory.size()))
                    << bytes << " bytes at " << offset;
        }
    }
}

}  // namespace
}  // namespace nn::large_pages_test
