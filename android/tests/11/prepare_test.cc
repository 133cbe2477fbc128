// Output shapes of single operations, which kernels of drivers compute before they execute.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "OperationsUtils.h"

namespace {

using namespace android::nn;
using namespace android::nn::hal;

using Dimensions = std::vector<uint32_t>;

Shape shape(const Dimensions& dimensions, OperandType type = OperandType::TENSOR_FLOAT32) {
    Shape made;
    made.type = type;
    made.dimensions = dimensions;
    return made;
}

// The dimensions that `prepare` computes; empty if it fails.
std::optional<Dimensions> dimensions(const std::function<bool(Shape*)>& prepare) {
    Shape output = shape({77});
    if (prepare(&output)) return output.dimensions;
    EXPECT_EQ(output.dimensions, Dimensions{77});
    return std::nullopt;
}

const Shape kImage = shape({2, 5, 7, 4});
const Shape kBias = shape({6});
constexpr uint32_t kHuge = 0xFFFFFFFF;

TEST(OperationPrepare, ComputesShapesOfConvolutions) {
    const auto conv = [](const Shape& input, const Shape& filter, const Shape& bias, int32_t stride,
                         int32_t dilation) {
        return dimensions([&](Shape* output) {
            return convPrepare(input, filter, bias, 1, 0, 1, 1, stride, stride, dilation, dilation,
                               output);
        });
    };
    EXPECT_EQ(conv(kImage, shape({6, 3, 2, 4}), kBias, 1, 1), (Dimensions{2, 5, 7, 6}));
    EXPECT_EQ(conv(kImage, shape({6, 3, 2, 4}), kBias, 2, 2), (Dimensions{2, 2, 3, 6}));
    EXPECT_EQ(conv(kImage, shape({6, 3, 2, 4}), kBias, 0, 1), std::nullopt);
    EXPECT_EQ(conv(kImage, shape({6, 3, 2, 4}), kBias, 1, 0), std::nullopt);
    EXPECT_EQ(conv(kImage, shape({6, 8, 2, 4}), kBias, 1, 1), std::nullopt);
    EXPECT_EQ(conv(kImage, shape({6, 0, 2, 4}), kBias, 1, 1), std::nullopt);
    EXPECT_EQ(conv(kImage, shape({6, 3, 2, 3}), kBias, 1, 1), std::nullopt);
    EXPECT_EQ(conv(kImage, shape({5, 3, 2, 4}), kBias, 1, 1), std::nullopt);
    EXPECT_EQ(conv(shape({5, 7, 4}), shape({6, 3, 2, 4}), kBias, 1, 1), std::nullopt);
    EXPECT_EQ(conv(shape({1, kHuge, 7, 4}), shape({6, kHuge, 2, 4}), kBias, 1, INT32_MAX),
              std::nullopt);
    // Without dilations.
    EXPECT_EQ(dimensions([](Shape* output) {
                  return convPrepare(kImage, shape({6, 3, 2, 4}), kBias, 1, 0, 1, 1, 1, 1, output);
              }),
              (Dimensions{2, 5, 7, 6}));

    const auto depthwise = [](const Shape& filter, int32_t multiplier) {
        return dimensions([&](Shape* output) {
            return depthwiseConvPrepare(kImage, filter, shape({8}), 0, 0, 0, 0, 1, 2, multiplier, 1,
                                        1, output);
        });
    };
    EXPECT_EQ(depthwise(shape({1, 3, 2, 8}), 2), (Dimensions{2, 2, 6, 8}));
    EXPECT_EQ(depthwise(shape({1, 3, 2, 8}), 3), std::nullopt);
    EXPECT_EQ(depthwise(shape({1, 3, 2, 8}), -2), std::nullopt);

    const auto grouped = [](const Shape& filter, int32_t groups) {
        return dimensions([&](Shape* output) {
            return groupedConvPrepare(kImage, filter, kBias, 0, 0, 0, 0, 1, 1, groups, output);
        });
    };
    EXPECT_EQ(grouped(shape({6, 2, 2, 2}), 2), (Dimensions{2, 4, 6, 6}));
    EXPECT_EQ(grouped(shape({6, 2, 2, 1}), 4), std::nullopt);
    EXPECT_EQ(grouped(shape({6, 2, 2, 2}), 0), std::nullopt);

    const auto transposed = [](const Shape& input, int32_t stride, int32_t padding) {
        return dimensions([&](Shape* output) {
            return transposeConvPrepare(input, shape({6, 3, 2, 4}), kBias, padding, padding, 0, 1,
                                        stride, stride, output);
        });
    };
    EXPECT_EQ(transposed(kImage, 2, 0), (Dimensions{2, 10, 14, 6}));
    EXPECT_EQ(transposed(kImage, 1, 4), std::nullopt);
    EXPECT_EQ(transposed(kImage, 0, 0), std::nullopt);
    EXPECT_EQ(transposed(shape({2, kHuge, 7, 4}), 2, 0), std::nullopt);
    EXPECT_EQ(transposed(shape({2, 5, 7}), 2, 0), std::nullopt);
}

TEST(OperationPrepare, ComputesShapesOfWindowsAndLayers) {
    const auto pool = [](int32_t filter, int32_t stride) {
        return dimensions([&](Shape* output) {
            return genericPoolingPrepare(kImage, 0, 1, 0, 1, stride, stride, filter, filter,
                                         output);
        });
    };
    EXPECT_EQ(pool(2, 2), (Dimensions{2, 3, 4, 4}));
    EXPECT_EQ(pool(0, 2), std::nullopt);
    EXPECT_EQ(pool(2, -1), std::nullopt);

    const auto layer = [](const Dimensions& input, const Dimensions& weights) {
        return dimensions([&](Shape* output) {
            return fullyConnectedPrepare(shape(input), shape(weights), kBias, output);
        });
    };
    EXPECT_EQ(layer({4, 5, 3}, {6, 15}), (Dimensions{4, 6}));
    EXPECT_EQ(layer({4, 5, 3}, {6, 16}), std::nullopt);
    EXPECT_EQ(layer({4, 5, 3}, {5, 15}), std::nullopt);
    EXPECT_EQ(layer({4, 5, 3}, {6, 0}), std::nullopt);

    const auto add = [](const Dimensions& a, const Dimensions& b) {
        return dimensions([&](Shape* output) { return addMulPrepare(shape(a), shape(b), output); });
    };
    EXPECT_EQ(add({2, 1, 4}, {3, 1}), (Dimensions{2, 3, 4}));
    EXPECT_EQ(add({2, 3}, {2}), std::nullopt);
    EXPECT_EQ(add({1, 1, 1, 1, 2}, {2}), std::nullopt);
}

TEST(OperationPrepare, ComputesShapesOfMoves) {
    const auto join = [](const std::vector<Shape>& inputs, int32_t axis) {
        return dimensions(
                [&](Shape* output) { return concatenationPrepare(inputs, axis, output); });
    };
    EXPECT_EQ(join({shape({2, 3}), shape({2, 4})}, -1), (Dimensions{2, 7}));
    EXPECT_EQ(join({shape({2, 3}), shape({1, 3})}, 1), std::nullopt);
    EXPECT_EQ(join({shape({2, 3}), shape({2})}, 1), std::nullopt);
    EXPECT_EQ(join({shape({2, 3})}, 2), std::nullopt);
    EXPECT_EQ(join({shape({kHuge}), shape({1})}, 0), std::nullopt);
    EXPECT_EQ(join({}, 0), std::nullopt);

    const int32_t permutation[] = {2, 0, 1}, outside[] = {0, 1, 3};
    const auto transpose = [](const int32_t* values) {
        return dimensions([&](Shape* output) {
            return transposePrepare(shape({2, 3, 4}), values, shape({3}), output);
        });
    };
    EXPECT_EQ(transpose(permutation), (Dimensions{4, 2, 3}));
    EXPECT_EQ(transpose(nullptr), (Dimensions{4, 3, 2}));
    EXPECT_EQ(transpose(outside), std::nullopt);

    const int32_t axes[] = {-1, 0};
    const auto squeeze = [](const Dimensions& input, const int32_t* values, uint32_t count) {
        return dimensions([&](Shape* output) {
            return squeezePrepare(shape(input), values, shape({count}), output);
        });
    };
    EXPECT_EQ(squeeze({1, 3, 1}, axes, 2), (Dimensions{3}));
    EXPECT_EQ(squeeze({1, 3, 1}, axes, 1), (Dimensions{1, 3}));
    EXPECT_EQ(squeeze({1, 1}, nullptr, 0), (Dimensions{1}));
    EXPECT_EQ(squeeze({2, 3, 1}, axes, 2), std::nullopt);

    EXPECT_EQ(dimensions([](Shape* output) {
                  return resizeBilinearPrepare(kImage, /*height=*/3, /*width=*/2, output);
              }),
              (Dimensions{2, 3, 2, 4}));
    EXPECT_EQ(dimensions([](Shape* output) { return resizeImagePrepare(kImage, 0, 2, output); }),
              std::nullopt);
    EXPECT_EQ(dimensions([](Shape* output) { return quantizePrepare(kImage, output); }),
              kImage.dimensions);
    EXPECT_EQ(dimensions([](Shape* output) { return dequantizePrepare(kImage, output); }),
              kImage.dimensions);
    EXPECT_EQ(dimensions([](Shape* output) { return genericNormalizationPrepare(kImage, output); }),
              kImage.dimensions);
}

TEST(OperationPrepare, ComputesShapesOfBlocks) {
    const int32_t blocks[] = {2, 3}, none[] = {0, 3}, huge[] = {INT32_MAX, INT32_MAX};
    const auto toSpace = [](const Dimensions& input, const int32_t* sizes, uint32_t count) {
        return dimensions([&](Shape* output) {
            return batchToSpacePrepare(shape(input), sizes, shape({count}), output);
        });
    };
    EXPECT_EQ(toSpace({12, 5, 7, 1}, blocks, 2), (Dimensions{2, 10, 21, 1}));
    EXPECT_EQ(toSpace({4, 5, 7, 1}, blocks, 2), std::nullopt);
    EXPECT_EQ(toSpace({12, 5, 7, 1}, none, 2), std::nullopt);
    EXPECT_EQ(toSpace({12, 5, 7, 1}, blocks, 1), std::nullopt);
    EXPECT_EQ(toSpace({0, 5, 7, 1}, huge, 2), std::nullopt);
    EXPECT_EQ(toSpace({12, 5, 7}, blocks, 2), std::nullopt);

    const int32_t paddings[] = {1, 2, 0, 2}, negative[] = {-1, 0, 0, 2};
    const auto toBatch = [&](const int32_t* sizes, const int32_t* values, const Dimensions& of) {
        return dimensions([&](Shape* output) {
            return spaceToBatchPrepare(kImage, sizes, shape({2}), values, shape(of), output);
        });
    };
    EXPECT_EQ(toBatch(blocks, paddings, {2, 2}), (Dimensions{12, 4, 3, 4}));
    EXPECT_EQ(toBatch(blocks, negative, {2, 2}), std::nullopt);
    EXPECT_EQ(toBatch(blocks, paddings, {4}), std::nullopt);
    EXPECT_EQ(toBatch(huge, paddings, {2, 2}), std::nullopt);
}

struct SliceRow {
    int32_t begin, end, stride;
    int32_t beginMask, endMask, shrinkMask;
    std::optional<Dimensions> expected;
};

TEST(OperationPrepare, ComputesShapesOfStridedSlices) {
    const SliceRow rows[] = {
            {1, 4, 1, 0, 0, 0, Dimensions{3}},
            {1, 4, 2, 0, 0, 0, Dimensions{2}},
            {-3, -1, 1, 0, 0, 0, Dimensions{2}},
            {4, 1, -2, 0, 0, 0, Dimensions{2}},
            {4, 1, -1, 1, 1, 0, Dimensions{5}},
            {3, 2, 1, 1, 0, 0, Dimensions{2}},
            {3, 2, 1, 0, 1, 0, Dimensions{2}},
            {3, 2, 1, 0, 0, 0, Dimensions{0}},
            {-100, 100, 1, 0, 0, 0, Dimensions{5}},
            {100, -100, -1, 0, 0, 0, Dimensions{5}},
            {INT32_MIN, INT32_MAX, INT32_MAX, 0, 0, 0, Dimensions{1}},
            {INT32_MAX, INT32_MIN, INT32_MIN, 0, 0, 0, Dimensions{1}},
            {2, 3, 1, 0, 0, 1, Dimensions{1}},
            {2, 4, 1, 0, 0, 1, std::nullopt},
            {2, 4, 0, 0, 0, 0, std::nullopt},
    };
    for (const SliceRow& row : rows) {
        EXPECT_EQ(dimensions([&](Shape* output) {
                      return stridedSlicePrepare(shape({5}), &row.begin, shape({1}), &row.end,
                                                 shape({1}), &row.stride, shape({1}), row.beginMask,
                                                 row.endMask, row.shrinkMask, output);
                  }),
                  row.expected)
                << row.begin << ":" << row.end << ":" << row.stride;
    }
    EXPECT_EQ(dimensions([&](Shape* output) {
                  return stridedSlicePrepare(shape({5, 2}), &rows[0].begin, shape({1}),
                                             &rows[0].end, shape({1}), &rows[0].stride, shape({1}),
                                             0, 0, 0, output);
              }),
              std::nullopt);
}

TEST(OperationPrepare, ComputesShapesOfLookups) {
    const Shape values = shape({3, 4, 2});
    EXPECT_EQ(dimensions([&](Shape* output) {
                  return embeddingLookupPrepare(values, shape({5}), output);
              }),
              (Dimensions{5, 4, 2}));
    EXPECT_EQ(dimensions([&](Shape* output) {
                  return embeddingLookupPrepare(shape({3}), shape({5}), output);
              }),
              std::nullopt);
    Shape hits;
    EXPECT_EQ(dimensions([&](Shape* output) {
                  return hashtableLookupPrepare(shape({5}), shape({3}), values, output, &hits);
              }),
              (Dimensions{5, 4, 2}));
    EXPECT_EQ(hits.dimensions, Dimensions{5});
    EXPECT_EQ(hits.type, OperandType::TENSOR_QUANT8_ASYMM);
    EXPECT_EQ(dimensions([&](Shape* output) {
                  return hashtableLookupPrepare(shape({5}), shape({4}), values, output, &hits);
              }),
              std::nullopt);
}

}  // namespace
