// Broadcasting for kernels: shapes and strides by hand, iteration compared with indexes.
#include "nnapi/kernel/broadcast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace nn::kernel_broadcast_test {
namespace {

using namespace kernel;
using Shape = std::vector<uint32_t>;

struct ShapeRow {
    Shape a, b;
    std::optional<Shape> result;
};
const ShapeRow kShapes[] = {
        {{2, 3}, {2, 3}, Shape{2, 3}},
        {{2, 3}, {3}, Shape{2, 3}},
        {{2, 3}, {2, 1}, Shape{2, 3}},
        {{2, 1}, {1, 3}, Shape{2, 3}},
        {{1}, {2, 3}, Shape{2, 3}},
        {{}, {2, 3}, Shape{2, 3}},
        {{}, {}, Shape{}},
        {{1, 1}, {1}, Shape{1, 1}},
        {{4, 1, 3, 1}, {2, 1, 5}, Shape{4, 2, 3, 5}},
        {{2, 3, 4}, {3, 1}, Shape{2, 3, 4}},
        {{1, 3, 1, 2}, {4, 1, 5, 1}, Shape{4, 3, 5, 2}},
        {{1, 2, 1, 1, 2, 1}, {3, 1, 2, 1, 1, 2}, Shape{3, 2, 2, 1, 2, 2}},
        {{0}, {1}, Shape{0}},
        {{2, 0}, {2, 1}, Shape{2, 0}},
        {{0, 3}, {3}, Shape{0, 3}},
        {{2}, {3}, std::nullopt},
        {{2, 3}, {2}, std::nullopt},
        {{0}, {2}, std::nullopt},
        {{0, 2}, {3}, std::nullopt},
        {{3, 0}, {2, 1}, std::nullopt},
        {{UINT32_MAX}, {UINT32_MAX - 1}, std::nullopt},
};

std::optional<Shape> shapeOf(const Shape& a, const Shape& b) {
    const std::span<const uint32_t> shapes[] = {a, b};
    return broadcastShape(shapes);
}

TEST(KernelBroadcast, HasTheShapeOfBoth) {
    for (const ShapeRow& row : kShapes) {
        EXPECT_EQ(shapeOf(row.a, row.b), row.result) << testing::PrintToString(row.a);
        EXPECT_EQ(shapeOf(row.b, row.a), row.result) << testing::PrintToString(row.a);
        EXPECT_EQ(BroadcastWalk<2>::create({row.a, row.b}).has_value(), row.result.has_value());
    }
    EXPECT_EQ(broadcastShape({}), Shape{});
    const Shape one = {5}, two = {4, 1}, three = {3, 1, 1};
    const std::span<const uint32_t> all[] = {one, two, three};
    EXPECT_EQ(broadcastShape(all), (Shape{3, 4, 5}));
}

// The index of an input's element that corresponds to one of the result, from its coordinates.
size_t indexIn(const Shape& input, const Shape& result, size_t index) {
    size_t at = 0, stride = 1;
    for (size_t i = 0; i < result.size(); ++i) {  // from the last dimension on
        const uint32_t extent = result[result.size() - 1 - i];
        const size_t coordinate = index % extent;
        index /= extent;
        if (i >= input.size()) continue;
        const uint32_t own = input[input.size() - 1 - i];
        if (own != 1) at += coordinate * stride;
        stride *= own;
    }
    return at;
}

template <size_t kInputs>
void expectWalk(const std::array<Shape, kInputs>& shapes, const Shape& result) {
    typename BroadcastWalk<kInputs>::Shapes views;
    for (size_t k = 0; k < kInputs; ++k) views[k] = shapes[k];
    const auto walk = BroadcastWalk<kInputs>::create(views);
    ASSERT_TRUE(walk);
    size_t next = 0;
    walk->forEach([&](size_t out, const auto& in) {
        ASSERT_EQ(out, next++);
        for (size_t k = 0; k < kInputs; ++k) EXPECT_EQ(in[k], indexIn(shapes[k], result, out)) << k;
    });
    EXPECT_EQ(next, walk->count());
    size_t count = 1;
    for (const uint32_t dimension : result) count *= dimension;
    EXPECT_EQ(next, count);
}

TEST(KernelBroadcast, WalksInTheOrderOfIndexes) {
    for (const ShapeRow& row : kShapes) {
        if (!row.result) continue;
        expectWalk<2>({row.a, row.b}, *row.result);
        expectWalk<2>({row.b, row.a}, *row.result);
        expectWalk<3>({row.a, row.b, *row.result}, *row.result);
    }
    expectWalk<1>({Shape{2, 3}}, {2, 3});
    expectWalk<4>({Shape{5}, Shape{4, 1}, Shape{3, 1, 1}, Shape{}}, {3, 4, 5});
}

TEST(KernelBroadcast, JoinsDimensionsThatBehaveAlike) {
    const auto axesOf = [](const Shape& a, const Shape& b) {
        std::vector<std::array<size_t, 3>> axes;
        const auto walk = BroadcastWalk<2>::create({a, b}).value();
        for (const auto& axis : walk.axes()) {
            axes.push_back({axis.count, axis.strides[0], axis.strides[1]});
        }
        return axes;
    };
    using Axes = std::vector<std::array<size_t, 3>>;
    EXPECT_EQ(axesOf({2, 3, 4}, {2, 3, 4}), (Axes{{24, 1, 1}}));
    EXPECT_EQ(axesOf({2, 3, 4}, {1}), (Axes{{24, 1, 0}}));
    EXPECT_EQ(axesOf({2, 3, 4}, {4}), (Axes{{4, 1, 1}, {6, 4, 0}}));
    EXPECT_EQ(axesOf({2, 1, 4}, {2, 3, 1}), (Axes{{4, 1, 0}, {3, 0, 1}, {2, 4, 3}}));
    EXPECT_EQ(axesOf({1, 1}, {1}), Axes{});
}

TEST(KernelBroadcast, RejectsMoreElementsThanCanBeCounted) {
    const Shape column = {UINT32_MAX, 1, UINT32_MAX}, row = {1, UINT32_MAX, 1};
    EXPECT_FALSE(BroadcastWalk<2>::create({column, row})) << "2^96 elements";
    EXPECT_FALSE(broadcastStrides(Shape(3, UINT32_MAX), Shape(3, UINT32_MAX)));
    const Shape many(100, 2);
    EXPECT_FALSE(BroadcastWalk<2>::create({many, many})) << "2^100 elements";
    for (const size_t at : {size_t{0}, size_t{50}, size_t{99}}) {
        Shape none = many;
        none[at] = 0;
        const auto walk = BroadcastWalk<2>::create({none, none});
        ASSERT_TRUE(walk) << "0 elements";
        EXPECT_EQ(walk->count(), 0u);
        walk->forEachRow([](auto...) { FAIL() << "there is no row"; });
    }
    Shape alternating(200, 1);
    for (size_t i = 0; i < 12; ++i) alternating[i * 2] = 2;
    expectWalk<2>({alternating, Shape(24, 1)}, alternating);
}

TEST(KernelBroadcast, HasStridesOfZeroWhereItRepeats) {
    const struct {
        Shape input, result;
        std::optional<std::vector<size_t>> strides;
    } kRows[] = {
            {{2, 3}, {2, 3}, {{3, 1}}},
            {{3}, {2, 3}, {{0, 1}}},
            {{2, 1}, {2, 3}, {{1, 0}}},
            {{}, {2, 3}, {{0, 0}}},
            {{4, 1, 3}, {4, 5, 3}, {{3, 0, 1}}},
            {{}, {}, {std::vector<size_t>{}}},
            {{0, 3}, {0, 3}, {{3, 1}}},
            {{1, 3}, {0, 3}, {{0, 1}}},
            {{2, 3}, {3}, std::nullopt},     // of higher rank
            {{2, 3}, {2, 1}, std::nullopt},  // the input is larger
            {{2}, {3}, std::nullopt},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(broadcastStrides(row.input, row.result), row.strides)
                << testing::PrintToString(row.input);
    }
}

}  // namespace
}  // namespace nn::kernel_broadcast_test
