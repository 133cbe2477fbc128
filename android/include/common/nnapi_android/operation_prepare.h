// nnapi_android/operation_prepare.h -- Output shapes of single operations, for kernels of drivers.
//
//   Shape output;
//   if (!convPrepare(input, filter, bias, left, right, top, bottom, 1, 1, &output)) ...
//
// Part of OperationsUtils.h. Images have channels last, and dimensions are those of the NNAPI
// documentation. A failure is logged, and leaves the output unchanged but for its type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace android::nn {

namespace prepare_internal {

inline bool setDimension(int64_t value, uint32_t* dimension) {
    if (value < 0 || value > int64_t{UINT32_MAX}) return false;
    *dimension = static_cast<uint32_t>(value);
    return true;
}

// The number of places of a window along one dimension; 0 if it has none.
inline int64_t places(uint32_t size, uint32_t filter, int32_t stride, int32_t dilation,
                      int32_t paddingHead, int32_t paddingTail) {
    const int64_t window = (int64_t{filter} - 1) * dilation + 1;
    const int64_t rest = int64_t{size} + paddingHead + paddingTail - window;
    return filter == 0 || rest < 0 ? 0 : rest / stride + 1;
}

// The output of a window over images: batches, height, width, channels.
inline bool slide(const Shape& input, uint32_t filterHeight, uint32_t filterWidth,
                  int32_t paddingTop, int32_t paddingBottom, int32_t paddingLeft,
                  int32_t paddingRight, int32_t strideHeight, int32_t strideWidth,
                  int32_t dilationHeight, int32_t dilationWidth, uint32_t channels, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK(strideHeight > 0 && strideWidth > 0 && dilationHeight > 0 && dilationWidth > 0);
    uint32_t height = 0, width = 0;
    NN_RET_CHECK(setDimension(places(input.dimensions[1], filterHeight, strideHeight,
                                     dilationHeight, paddingTop, paddingBottom),
                              &height));
    NN_RET_CHECK(setDimension(places(input.dimensions[2], filterWidth, strideWidth, dilationWidth,
                                     paddingLeft, paddingRight),
                              &width));
    NN_RET_CHECK(height > 0 && width > 0) << "the window is larger than the image";
    output->type = input.type;
    output->dimensions = {input.dimensions[0], height, width, channels};
    return true;
}

// Two values for height and width, each at least 1.
inline bool areBlocks(const int32_t* sizes, const Shape& shape) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(shape), 1u);
    NN_RET_CHECK_EQ(getSizeOfDimension(shape, 0), 2u);
    NN_RET_CHECK(sizes[0] > 0 && sizes[1] > 0);
    return true;
}

// The elements of a strided slice of one dimension. Null where a mask leaves out the bound.
inline int64_t sliced(uint32_t size, const int32_t* begin, const int32_t* end, int32_t stride) {
    const int64_t first = stride > 0 ? 0 : -1,
                  last = stride > 0 ? int64_t{size} : int64_t{size} - 1;
    const auto clamped = [&](int64_t index) {
        return std::clamp(index < 0 ? index + int64_t{size} : index, first, last);
    };
    const int64_t from = begin != nullptr ? clamped(*begin) : stride > 0 ? first : last;
    const int64_t to = end != nullptr ? clamped(*end) : stride > 0 ? last : first;
    const int64_t length = stride > 0 ? to - from : from - to;
    const int64_t step = stride > 0 ? int64_t{stride} : -int64_t{stride};
    return length <= 0 ? 0 : (length + step - 1) / step;
}

}  // namespace prepare_internal

inline bool addMulPrepare(const Shape& in1, const Shape& in2, Shape* out) {
    NN_RET_CHECK_LE(getNumberOfDimensions(in1), 4u);
    NN_RET_CHECK_LE(getNumberOfDimensions(in2), 4u);
    NN_RET_CHECK(calculateBroadcastedShape(in1, in2, out));
    out->type = in1.type;
    return true;
}

inline bool convPrepare(const Shape& input, const Shape& filter, const Shape& bias,
                        int32_t padding_left, int32_t padding_right, int32_t padding_top,
                        int32_t padding_bottom, int32_t stride_width, int32_t stride_height,
                        int32_t dilation_width_factor, int32_t dilation_height_factor,
                        Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(filter), 4u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(bias), 1u);
    NN_RET_CHECK_EQ(filter.dimensions[0], bias.dimensions[0]);
    NN_RET_CHECK_EQ(filter.dimensions[3], getSizeOfDimension(input, 3));
    return prepare_internal::slide(input, filter.dimensions[1], filter.dimensions[2], padding_top,
                                   padding_bottom, padding_left, padding_right, stride_height,
                                   stride_width, dilation_height_factor, dilation_width_factor,
                                   filter.dimensions[0], output);
}
inline bool convPrepare(const Shape& input, const Shape& filter, const Shape& bias,
                        int32_t padding_left, int32_t padding_right, int32_t padding_top,
                        int32_t padding_bottom, int32_t stride_width, int32_t stride_height,
                        Shape* output) {
    return convPrepare(input, filter, bias, padding_left, padding_right, padding_top,
                       padding_bottom, stride_width, stride_height, 1, 1, output);
}

inline bool depthwiseConvPrepare(const Shape& input, const Shape& filter, const Shape& bias,
                                 int32_t padding_left, int32_t padding_right, int32_t padding_top,
                                 int32_t padding_bottom, int32_t stride_width,
                                 int32_t stride_height, int32_t depth_multiplier,
                                 int32_t dilation_width_factor, int32_t dilation_height_factor,
                                 Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(filter), 4u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(bias), 1u);
    NN_RET_CHECK_EQ(filter.dimensions[3], bias.dimensions[0]);
    NN_RET_CHECK_EQ(
            uint64_t{getSizeOfDimension(input, 3)} * static_cast<uint64_t>(depth_multiplier),
            uint64_t{filter.dimensions[3]});
    return prepare_internal::slide(input, filter.dimensions[1], filter.dimensions[2], padding_top,
                                   padding_bottom, padding_left, padding_right, stride_height,
                                   stride_width, dilation_height_factor, dilation_width_factor,
                                   filter.dimensions[3], output);
}

inline bool groupedConvPrepare(const Shape& input, const Shape& filter, const Shape& bias,
                               int32_t padding_left, int32_t padding_right, int32_t padding_top,
                               int32_t padding_bottom, int32_t stride_width, int32_t stride_height,
                               int32_t numGroups, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(filter), 4u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(bias), 1u);
    NN_RET_CHECK_EQ(filter.dimensions[0], bias.dimensions[0]);
    NN_RET_CHECK_GT(numGroups, 0);
    NN_RET_CHECK_EQ(uint64_t{filter.dimensions[3]} * static_cast<uint64_t>(numGroups),
                    uint64_t{getSizeOfDimension(input, 3)});
    NN_RET_CHECK_EQ(filter.dimensions[0] % static_cast<uint32_t>(numGroups), 0u);
    return prepare_internal::slide(input, filter.dimensions[1], filter.dimensions[2], padding_top,
                                   padding_bottom, padding_left, padding_right, stride_height,
                                   stride_width, 1, 1, filter.dimensions[0], output);
}

inline bool transposeConvPrepare(const Shape& input, const Shape& filter, const Shape& bias,
                                 int32_t padding_left, int32_t padding_right, int32_t padding_top,
                                 int32_t padding_bottom, int32_t stride_width,
                                 int32_t stride_height, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(filter), 4u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(bias), 1u);
    NN_RET_CHECK_EQ(filter.dimensions[0], bias.dimensions[0]);
    NN_RET_CHECK_EQ(filter.dimensions[3], input.dimensions[3]);
    NN_RET_CHECK(stride_width > 0 && stride_height > 0);
    const auto extent = [](uint32_t size, uint32_t window, int32_t stride, int32_t head,
                           int32_t tail) {
        return (int64_t{size} - 1) * stride + window - head - tail;
    };
    uint32_t height = 0, width = 0;
    NN_RET_CHECK(prepare_internal::setDimension(extent(input.dimensions[1], filter.dimensions[1],
                                                       stride_height, padding_top, padding_bottom),
                                                &height));
    NN_RET_CHECK(prepare_internal::setDimension(extent(input.dimensions[2], filter.dimensions[2],
                                                       stride_width, padding_left, padding_right),
                                                &width));
    NN_RET_CHECK(height > 0 && width > 0) << "the paddings are larger than the image";
    output->type = input.type;
    output->dimensions = {input.dimensions[0], height, width, filter.dimensions[0]};
    return true;
}

inline bool genericPoolingPrepare(const Shape& input, int32_t padding_left, int32_t padding_right,
                                  int32_t padding_top, int32_t padding_bottom, int32_t stride_width,
                                  int32_t stride_height, int32_t filter_width,
                                  int32_t filter_height, Shape* output) {
    NN_RET_CHECK(filter_height > 0 && filter_width > 0);
    return prepare_internal::slide(input, static_cast<uint32_t>(filter_height),
                                   static_cast<uint32_t>(filter_width), padding_top, padding_bottom,
                                   padding_left, padding_right, stride_height, stride_width, 1, 1,
                                   getSizeOfDimension(input, 3), output);
}

inline bool fullyConnectedPrepare(const Shape& input, const Shape& weights, const Shape& bias,
                                  Shape* output) {
    NN_RET_CHECK_GE(getNumberOfDimensions(input), 2u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(weights), 2u);
    NN_RET_CHECK_EQ(weights.dimensions[0], getSizeOfDimension(bias, 0));
    NN_RET_CHECK_GT(weights.dimensions[1], 0u);
    const uint32_t elements = getNumberOfElements(input);
    NN_RET_CHECK_EQ(elements % weights.dimensions[1], 0u);
    output->type = input.type;
    output->dimensions = {elements / weights.dimensions[1], weights.dimensions[0]};
    return true;
}

inline bool concatenationPrepare(const std::vector<Shape>& inputShapes, int32_t axis,
                                 Shape* output) {
    NN_RET_CHECK(!inputShapes.empty());
    NN_RET_CHECK(handleNegativeAxis(inputShapes[0], &axis));
    std::vector<uint32_t> dimensions = inputShapes[0].dimensions;
    for (size_t i = 1; i < inputShapes.size(); ++i) {
        NN_RET_CHECK(inputShapes[i].type == inputShapes[0].type);
        NN_RET_CHECK_EQ(inputShapes[i].dimensions.size(), dimensions.size());
        for (size_t d = 0; d < dimensions.size(); ++d) {
            if (d == static_cast<size_t>(axis)) {
                NN_RET_CHECK(prepare_internal::setDimension(
                        int64_t{dimensions[d]} + inputShapes[i].dimensions[d], &dimensions[d]));
            } else {
                NN_RET_CHECK_EQ(inputShapes[i].dimensions[d], dimensions[d]);
            }
        }
    }
    output->type = inputShapes[0].type;
    output->dimensions = std::move(dimensions);
    return true;
}

inline bool genericNormalizationPrepare(const Shape& input, Shape* output) {
    return SetShape(input, output);
}

inline bool dequantizePrepare(const Shape& input, Shape* output) {
    output->dimensions = input.dimensions;
    return true;
}

inline bool quantizePrepare(const Shape& input, Shape* output) {
    output->dimensions = input.dimensions;
    return true;
}

inline bool resizeImagePrepare(const Shape& input, int32_t width, int32_t height, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK(width > 0 && height > 0);
    ::nnapi_android::takeType(input, output);
    output->dimensions = {input.dimensions[0], static_cast<uint32_t>(height),
                          static_cast<uint32_t>(width), input.dimensions[3]};
    return true;
}

inline bool resizeBilinearPrepare(const Shape& input, int32_t height, int32_t width,
                                  Shape* output) {
    return resizeImagePrepare(input, width, height, output);
}

inline bool batchToSpacePrepare(const Shape& input, const int32_t* blockSizeData,
                                const Shape& blockSizeShape, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK(prepare_internal::areBlocks(blockSizeData, blockSizeShape));
    const int64_t blocks = int64_t{blockSizeData[0]} * blockSizeData[1];
    NN_RET_CHECK_EQ(int64_t{input.dimensions[0]} % blocks, 0);
    std::vector<uint32_t> dimensions = input.dimensions;
    dimensions[0] = static_cast<uint32_t>(input.dimensions[0] / blocks);
    for (size_t d = 1; d < 3; ++d) {
        NN_RET_CHECK(prepare_internal::setDimension(
                int64_t{input.dimensions[d]} * blockSizeData[d - 1], &dimensions[d]));
    }
    ::nnapi_android::takeType(input, output);
    output->dimensions = std::move(dimensions);
    return true;
}

// `paddingsData` has two values for height and two for width.
inline bool spaceToBatchPrepare(const Shape& input, const int32_t* blockSizeData,
                                const Shape& blockSizeShape, const int32_t* paddingsData,
                                const Shape& paddingsShape, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK(prepare_internal::areBlocks(blockSizeData, blockSizeShape));
    NN_RET_CHECK(paddingsShape.dimensions == (std::vector<uint32_t>{2, 2}));
    std::vector<uint32_t> dimensions = input.dimensions;
    for (size_t d = 1; d < 3; ++d) {
        const int32_t head = paddingsData[2 * d - 2], tail = paddingsData[2 * d - 1];
        NN_RET_CHECK(head >= 0 && tail >= 0);
        const int64_t padded = int64_t{input.dimensions[d]} + head + tail;
        NN_RET_CHECK_EQ(padded % blockSizeData[d - 1], 0);
        NN_RET_CHECK(prepare_internal::setDimension(padded / blockSizeData[d - 1], &dimensions[d]));
        NN_RET_CHECK(prepare_internal::setDimension(int64_t{dimensions[0]} * blockSizeData[d - 1],
                                                    &dimensions[0]));
    }
    ::nnapi_android::takeType(input, output);
    output->dimensions = std::move(dimensions);
    return true;
}

inline bool stridedSlicePrepare(const Shape& input, const int32_t* beginData,
                                const Shape& beginShape, const int32_t* endData,
                                const Shape& endShape, const int32_t* stridesData,
                                const Shape& stridesShape, int32_t beginMask, int32_t endMask,
                                int32_t shrinkAxisMask, Shape* output) {
    const uint32_t rank = getNumberOfDimensions(input);
    NN_RET_CHECK_LE(rank, 4u);
    for (const Shape* each : {&beginShape, &endShape, &stridesShape}) {
        NN_RET_CHECK(each->dimensions == (std::vector<uint32_t>{rank}));
    }
    std::vector<uint32_t> dimensions;
    for (uint32_t d = 0; d < rank; ++d) {
        const auto has = [d](int32_t mask) { return (mask >> d & 1) != 0; };
        NN_RET_CHECK(stridesData[d] != 0);
        const int64_t size = prepare_internal::sliced(
                input.dimensions[d], has(beginMask) ? nullptr : beginData + d,
                has(endMask) ? nullptr : endData + d, stridesData[d]);
        if (has(shrinkAxisMask)) {
            NN_RET_CHECK_EQ(size, 1) << "a dimension that shrinks has one element";
        } else {
            dimensions.push_back(static_cast<uint32_t>(size));
        }
    }
    ::nnapi_android::takeType(input, output);
    output->dimensions = dimensions.empty() ? std::vector<uint32_t>{1} : std::move(dimensions);
    return true;
}

inline bool embeddingLookupPrepare(const Shape& valueShape, const Shape& lookupShape,
                                   Shape* outputShape) {
    NN_RET_CHECK_GE(getNumberOfDimensions(valueShape), 2u);
    NN_RET_CHECK_EQ(getNumberOfDimensions(lookupShape), 1u);
    ::nnapi_android::takeType(valueShape, outputShape);
    outputShape->dimensions = valueShape.dimensions;
    outputShape->dimensions[0] = lookupShape.dimensions[0];
    return true;
}

inline bool hashtableLookupPrepare(const Shape& lookupShape, const Shape& keyShape,
                                   const Shape& valueShape, Shape* outputShape, Shape* hitShape) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(keyShape), 1u);
    NN_RET_CHECK_EQ(getSizeOfDimension(keyShape, 0), getSizeOfDimension(valueShape, 0));
    NN_RET_CHECK(embeddingLookupPrepare(valueShape, lookupShape, outputShape));
    hitShape->type = HelperTypes::OperandType::TENSOR_QUANT8_ASYMM;
    hitShape->dimensions = {lookupShape.dimensions[0]};
    hitShape->scale = 1.0f;
    hitShape->offset = 0;
    return true;
}

// Without axes, removes all dimensions of 1.
inline bool squeezePrepare(const Shape& input, const int32_t* squeezeDims,
                           const Shape& squeezeDimsShape, Shape* output) {
    std::vector<bool> isRemoved(input.dimensions.size());
    const uint32_t count = squeezeDims == nullptr ? 0 : getNumberOfElements(squeezeDimsShape);
    for (uint32_t i = 0; i < count; ++i) {
        int32_t axis = squeezeDims[i];
        NN_RET_CHECK(handleNegativeAxis(input, &axis));
        NN_RET_CHECK_EQ(input.dimensions[static_cast<size_t>(axis)], 1u);
        isRemoved[static_cast<size_t>(axis)] = true;
    }
    std::vector<uint32_t> left;
    for (size_t d = 0; d < isRemoved.size(); ++d) {
        const bool isLeft = count == 0 ? input.dimensions[d] != 1 : !isRemoved[d];
        if (isLeft) left.push_back(input.dimensions[d]);
    }
    ::nnapi_android::takeType(input, output);
    output->dimensions = left.empty() ? std::vector<uint32_t>{1} : std::move(left);
    return true;
}

// Without a permutation, the dimensions are reversed.
inline bool transposePrepare(const Shape& input, const int32_t* permData, const Shape& permShape,
                             Shape* output) {
    const size_t rank = input.dimensions.size();
    std::vector<uint32_t> dimensions(input.dimensions.rbegin(), input.dimensions.rend());
    if (permData != nullptr) {
        NN_RET_CHECK_EQ(getNumberOfElements(permShape), rank);
        for (size_t d = 0; d < rank; ++d) {
            NN_RET_CHECK(permData[d] >= 0 && static_cast<size_t>(permData[d]) < rank);
            dimensions[d] = input.dimensions[static_cast<size_t>(permData[d])];
        }
    }
    ::nnapi_android::takeType(input, output);
    output->dimensions = std::move(dimensions);
    return true;
}

}  // namespace android::nn
