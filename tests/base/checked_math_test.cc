#include "nnapi/checked_math.h"

#include <gtest/gtest.h>

#include <vector>

namespace nn {
namespace {

constexpr uint64_t kMax = UINT64_MAX;

TEST(Checked, AddSubMulReturnResultOrNullopt) {
    struct Row {
        uint64_t a, b;
        std::optional<uint64_t> sum, difference, product;
    };
    const Row kRows[] = {
            {2, 3, 5, {}, 6},
            {3, 2, 5, 1, 6},
            {kMax, 0, kMax, kMax, 0},
            {kMax, 1, {}, kMax - 1, kMax},
            {kMax, kMax, {}, 0, {}},
            {uint64_t{1} << 32, uint64_t{1} << 32, uint64_t{1} << 33, 0, {}},
            {0, 0, 0, 0, 0},
    };
    for (const Row& row : kRows) {
        EXPECT_EQ(checkedAdd<uint64_t>(row.a, row.b), row.sum) << row.a << " " << row.b;
        EXPECT_EQ(checkedSub<uint64_t>(row.a, row.b), row.difference) << row.a << " " << row.b;
        EXPECT_EQ(checkedMul<uint64_t>(row.a, row.b), row.product) << row.a << " " << row.b;
    }
}

TEST(Checked, EmptyFlowsThrough) {
    const std::optional<uint64_t> none, one = 1;
    for (const auto& [a, b] : {std::pair(none, one), std::pair(one, none), std::pair(none, none)}) {
        EXPECT_FALSE(checkedAdd<uint64_t>(a, b));
        EXPECT_FALSE(checkedSub<uint64_t>(a, b));
        EXPECT_FALSE(checkedMul<uint64_t>(a, b));
    }
}

TEST(Checked, SignedLimits) {
    EXPECT_FALSE(checkedAdd<int32_t>(INT32_MAX, 1));
    EXPECT_FALSE(checkedSub<int32_t>(INT32_MIN, 1));
    EXPECT_FALSE(checkedMul<int32_t>(INT32_MIN, -1));
    EXPECT_EQ(checkedAdd<int32_t>(INT32_MIN, INT32_MAX), -1);
}

TEST(Checked, Product) {
    struct Row {
        std::vector<uint32_t> factors;
        std::optional<uint64_t> product;
    };
    const Row kRows[] = {
            {{}, 1},
            {{2, 3, 4}, 24},
            {{UINT32_MAX, UINT32_MAX}, uint64_t{UINT32_MAX} * UINT32_MAX},
            {{UINT32_MAX, UINT32_MAX, 2}, {}},
            {{UINT32_MAX, UINT32_MAX, UINT32_MAX, 0}, 0},
    };
    for (const Row& row : kRows) EXPECT_EQ(checkedProduct<uint64_t>(row.factors), row.product);
    EXPECT_FALSE(checkedProduct<uint32_t>(std::vector<int64_t>{-1, 2}));
}

TEST(Checked, Casts) {
    EXPECT_EQ(checkedCast<uint8_t>(255), uint8_t{255});
    EXPECT_FALSE(checkedCast<uint8_t>(256));
    EXPECT_FALSE(checkedCast<uint32_t>(-1));
    EXPECT_EQ(saturatingCast<int8_t>(200), 127);
    EXPECT_EQ(saturatingCast<int8_t>(-128), -128);
    EXPECT_EQ(saturatingCast<uint8_t>(0), 0);
    EXPECT_EQ(saturatingCast<int8_t>(-200), -128);
    EXPECT_EQ(saturatingCast<uint32_t>(int64_t{-5}), 0u);
    EXPECT_EQ(saturatingCast<int64_t>(kMax), INT64_MAX);
    EXPECT_EQ(saturatingCast<int64_t>(5), 5);
}

TEST(Checked, FitsNeverComputesTheSum) {
    struct Row {
        uint64_t offset, length, size;
        bool fits;
    };
    const Row kRows[] = {
            {0, 0, 0, true},     {0, 4, 4, true},           {4, 0, 4, true},
            {1, 4, 4, false},    {5, 0, 4, false},          {kMax, 1, 4, false},
            {1, kMax, 4, false}, {kMax, kMax, kMax, false}, {0, kMax, kMax, true},
    };
    for (const Row& row : kRows) EXPECT_EQ(fits(row.offset, row.length, row.size), row.fits);
}

TEST(Checked, RoundUp) {
    EXPECT_EQ(checkedRoundUp<uint32_t>(0, 64), 0u);
    EXPECT_EQ(checkedRoundUp<uint32_t>(1, 64), 64u);
    EXPECT_EQ(checkedRoundUp<uint32_t>(64, 64), 64u);
    EXPECT_FALSE(checkedRoundUp<uint32_t>(UINT32_MAX, 64));
    EXPECT_FALSE(checkedRoundUp<uint32_t>(1, 0));
}

}  // namespace
}  // namespace nn
