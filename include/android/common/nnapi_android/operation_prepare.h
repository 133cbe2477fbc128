// nnapi_android/operation_prepare.h -- Output shapes of single operations, as kernels of drivers
// ask for them.
//
//   Shape output;
//   if (!convPrepare(input, filter, bias, left, right, top, bottom, 1, 1, &output)) ...
//
// Part of OperationsUtils.h. Images have channels last, and dimensions are those of the NNAPI
// documentation. A failure is logged, and leaves the output unchanged but for its type.
#pragma once

#include <cstdint>
#include <vector>

namespace android::nn {

namespace prepare_internal {

// The output of a window over images: batches, height, width, channels.
inline bool slide(const Shape& input, int32_t filterHeight, int32_t filterWidth, int32_t paddingTop,
                  int32_t paddingBottom, int32_t paddingLeft, int32_t paddingRight,
                  int32_t strideHeight, int32_t strideWidth, int32_t dilationHeight,
                  int32_t dilationWidth, uint32_t channels, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK(strideHeight > 0 && strideWidth > 0 && dilationHeight > 0 && dilationWidth > 0);
    const int32_t height = computeOutSize(static_cast<int32_t>(input.dimensions[1]), filterHeight,
                                          strideHeight, dilationHeight, paddingTop, paddingBottom);
    const int32_t width = computeOutSize(static_cast<int32_t>(input.dimensions[2]), filterWidth,
                                         strideWidth, dilationWidth, paddingLeft, paddingRight);
    NN_RET_CHECK(height > 0 && width > 0) << "the window is larger than the image";
    output->type = input.type;
    output->dimensions = {input.dimensions[0], static_cast<uint32_t>(height),
                          static_cast<uint32_t>(width), channels};
    return true;
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
    return prepare_internal::slide(input, static_cast<int32_t>(filter.dimensions[1]),
                                   static_cast<int32_t>(filter.dimensions[2]), padding_top,
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
    return prepare_internal::slide(input, static_cast<int32_t>(filter.dimensions[1]),
                                   static_cast<int32_t>(filter.dimensions[2]), padding_top,
                                   padding_bottom, padding_left, padding_right, stride_height,
                                   stride_width, dilation_height_factor, dilation_width_factor,
                                   filter.dimensions[3], output);
}

inline bool genericPoolingPrepare(const Shape& input, int32_t padding_left, int32_t padding_right,
                                  int32_t padding_top, int32_t padding_bottom, int32_t stride_width,
                                  int32_t stride_height, int32_t filter_width,
                                  int32_t filter_height, Shape* output) {
    return prepare_internal::slide(input, filter_height, filter_width, padding_top, padding_bottom,
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
                dimensions[d] += inputShapes[i].dimensions[d];
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

inline bool resizeImagePrepare(const Shape& input, int32_t width, int32_t height, Shape* output) {
    NN_RET_CHECK_EQ(getNumberOfDimensions(input), 4u);
    NN_RET_CHECK(width > 0 && height > 0);
    ::nnapi_android::takeType(input, output);
    output->dimensions = {input.dimensions[0], static_cast<uint32_t>(height),
                          static_cast<uint32_t>(width), input.dimensions[3]};
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

// Without `axes`, all dimensions of 1 go.
inline bool squeezePrepare(const Shape& input, const int32_t* squeezeDims,
                           const Shape& squeezeDimsShape, Shape* output) {
    std::vector<bool> goes(input.dimensions.size());
    const uint32_t count = squeezeDims == nullptr ? 0 : getNumberOfElements(squeezeDimsShape);
    for (uint32_t i = 0; i < count; ++i) {
        int32_t axis = squeezeDims[i];
        NN_RET_CHECK(handleNegativeAxis(input, &axis));
        NN_RET_CHECK_EQ(input.dimensions[static_cast<size_t>(axis)], 1u);
        goes[static_cast<size_t>(axis)] = true;
    }
    std::vector<uint32_t> left;
    for (size_t d = 0; d < goes.size(); ++d) {
        const bool isGone = count == 0 ? input.dimensions[d] == 1 : goes[d];
        if (!isGone) left.push_back(input.dimensions[d]);
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
