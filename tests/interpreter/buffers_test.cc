// Buffers that are released and reused, and the accounting of their bytes.
#include "interpreter/buffers.h"

#include <gtest/gtest.h>

#include "heap.h"

namespace nn::buffers_test {
namespace {

TEST(BufferPool, GivesTheSmallestThatFits) {
    Budget budget(1 << 20);
    BufferPool pool(budget);
    Buffer* small = pool.acquire(1);
    Buffer* middle = pool.acquire(100);
    Buffer* large = pool.acquire(1000);
    EXPECT_EQ(small->size, 64u);
    EXPECT_EQ(middle->size, 128u);
    EXPECT_EQ(large->size, 1024u);
    for (Buffer* buffer : {large, small, middle}) pool.release(buffer);
    EXPECT_EQ(pool.acquire(65), middle);
    EXPECT_EQ(pool.acquire(0), small);
    EXPECT_EQ(pool.acquire(64), large);
    EXPECT_NE(pool.acquire(64), nullptr);  // a new one
    pool.release(nullptr);
}

TEST(BufferPool, ReleasesAllOfAnExecution) {
    Budget budget(128 + 64);
    BufferPool pool(budget);
    Buffer* a = pool.acquire(128);
    Buffer* b = pool.acquire(64);
    pool.release(a);
    pool.releaseAll();  // the buffer still in use
    EXPECT_EQ(pool.acquire(64), b);
    EXPECT_EQ(pool.acquire(64), a);
    EXPECT_THROW(pool.acquire(1), CeilingReached);
}

// When the budget is used up, unused buffers are freed; buffers in use remain.
TEST(BufferPool, FreesWhatNobodyUsesForOthers) {
    Budget budget(10 * 64);
    BufferPool pool(budget);
    std::vector<Buffer*> buffers;
    for (uint8_t i = 0; i < 10; ++i) {
        buffers.push_back(pool.acquire(64));
        *buffers.back()->data() = i;
    }
    for (const size_t i : {0, 3, 9, 4}) pool.release(buffers[i]);
    EXPECT_THROW(pool.acquire(UINT64_MAX), CeilingReached);  // frees four
    EXPECT_THROW(pool.acquire(5 * 64), CeilingReached);
    EXPECT_FALSE(budget.has(5 * 64));
    EXPECT_TRUE(budget.has(4 * 64));
    Buffer* large = pool.acquire(4 * 64);
    EXPECT_FALSE(budget.has(1));
    for (const size_t i : {1, 2, 5, 6, 7, 8}) EXPECT_EQ(*buffers[i]->data(), i);
    pool.release(large);
    pool.release(buffers[8]);
    pool.release(buffers[1]);
    EXPECT_EQ(pool.acquire(64)->size, 64u);
    EXPECT_EQ(pool.acquire(65), large);
}

TEST(BufferPool, AllocatesNothingForWhatIsReleased) {
    Budget budget(1 << 20);
    BufferPool pool(budget);
    std::vector<Buffer*> buffers;
    for (uint64_t i = 0; i < 100; ++i) buffers.push_back(pool.acquire(64 * (i % 7)));
    const size_t before = heap::allocations;
    for (Buffer* buffer : buffers) pool.release(buffer);
    for (uint64_t i = 0; i < 100; ++i) buffers[i] = pool.acquire(64 * (i % 7));
    pool.releaseAll();
    EXPECT_EQ(heap::allocations, before);
}

}  // namespace
}  // namespace nn::buffers_test
