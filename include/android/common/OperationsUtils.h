// OperationsUtils.h -- Arithmetic of shapes, paddings and quantized values, as kernels of drivers
// use it.
//
//   int32_t head, tail;
//   calculateExplicitPadding(width, stride, filter, kPaddingSame, &head, &tail);
//
// Functions that return false log the reason (NN_RET_CHECK).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "nnapi_android/flavor.h"
#include "nnapi_android/operation_shapes.h"
#include "nnapi_android/ret_check.h"

#define NN_CHECK(x) NN_RET_CHECK(x)
#define NN_OPS_CHECK(x) NN_RET_CHECK(x)
#define NN_CHECK_EQ(x, y) NN_RET_CHECK_EQ(x, y)

namespace android::nn {

using bool8 = uint8_t;

// The codes of PaddingCode in NeuralNetworks.h.
enum PaddingScheme { kPaddingUnknown = 0, kPaddingSame = 1, kPaddingValid = 2 };

using Shape = ::nnapi_android::BasicShape<HelperTypes>;

// ---------------------------------------------------------------------------------------------
// Paddings and sizes of windows

// SAME is the only scheme with a padding; illegal windows have none, too.
inline void calculateExplicitPaddingImpl(int32_t in_size, int32_t stride, int32_t dilation_factor,
                                         int32_t filter_size, int32_t padding_implicit,
                                         bool isTransposeConv, int32_t* padding_head,
                                         int32_t* padding_tail) {
    const ::nnapi_android::Paddings padding = ::nnapi_android::implicitPadding(
            in_size, stride, dilation_factor, filter_size, padding_implicit, isTransposeConv);
    *padding_head = padding.head;
    *padding_tail = padding.tail;
}
inline void calculateExplicitPadding(int32_t in_size, int32_t stride, int32_t dilation_factor,
                                     int32_t filter_size, int32_t padding_implicit,
                                     int32_t* padding_head, int32_t* padding_tail) {
    calculateExplicitPaddingImpl(in_size, stride, dilation_factor, filter_size, padding_implicit,
                                 /*isTransposeConv=*/false, padding_head, padding_tail);
}
inline void calculateExplicitPadding(int32_t in_size, int32_t stride, int32_t filter_size,
                                     int32_t padding_implicit, int32_t* padding_head,
                                     int32_t* padding_tail) {
    calculateExplicitPadding(in_size, stride, /*dilation_factor=*/1, filter_size, padding_implicit,
                             padding_head, padding_tail);
}
// `in_size` is the size of the output.
inline void calculateExplicitPaddingTransposeConv(int32_t in_size, int32_t stride,
                                                  int32_t filter_size, int32_t padding_implicit,
                                                  int32_t* padding_head, int32_t* padding_tail) {
    calculateExplicitPaddingImpl(in_size, stride, /*dilation_factor=*/1, filter_size,
                                 padding_implicit, /*isTransposeConv=*/true, padding_head,
                                 padding_tail);
}

// The scheme that gives these paddings; kPaddingUnknown where none does.
inline PaddingScheme getPaddingScheme(int32_t inWidth, int32_t inHeight, int32_t strideWidth,
                                      int32_t strideHeight, int32_t filterWidth,
                                      int32_t filterHeight, int32_t paddingLeft,
                                      int32_t paddingRight, int32_t paddingTop,
                                      int32_t paddingBottom) {
    using ::nnapi_android::Paddings;
    const Paddings width{paddingLeft, paddingRight};
    const Paddings height{paddingTop, paddingBottom};
    if (width == Paddings{} && height == Paddings{}) return kPaddingValid;
    const auto same = [](int32_t size, int32_t stride, int32_t filter) {
        return ::nnapi_android::implicitPadding(size, stride, 1, filter, kPaddingSame, false);
    };
    return width == same(inWidth, strideWidth, filterWidth) &&
                           height == same(inHeight, strideHeight, filterHeight)
                   ? kPaddingSame
                   : kPaddingUnknown;
}

inline int32_t computeOutSize(int32_t imageSize, int32_t filterSize, int32_t stride,
                              int32_t dilationRate, int32_t paddingHead, int32_t paddingTail) {
    const int32_t effectiveFilter = (filterSize - 1) * dilationRate + 1;
    return (imageSize - effectiveFilter + stride + paddingHead + paddingTail) / stride;
}
inline int32_t computeOutSize(int32_t imageSize, int32_t filterSize, int32_t stride,
                              int32_t paddingHead, int32_t paddingTail) {
    return computeOutSize(imageSize, filterSize, stride, 1, paddingHead, paddingTail);
}
inline int32_t computeOutSizeTransposeConv(int32_t imageSize, int32_t filterSize, int32_t stride,
                                           int32_t paddingHead, int32_t paddingTail) {
    return (imageSize - 1) * stride + filterSize - paddingHead - paddingTail;
}

// ---------------------------------------------------------------------------------------------
// Shapes

inline bool SameShape(const Shape& in1, const Shape& in2) {
    return in1.type == in2.type && in1.dimensions == in2.dimensions;
}
// All but the quantization.
inline bool SetShape(const Shape& in, Shape* out) {
    if (in.type != out->type) return false;
    out->dimensions = in.dimensions;
    return true;
}

inline uint32_t getNumberOfElements(const Shape& shape) {
    return ::nnapi_android::product(shape.dimensions, 0, shape.dimensions.size());
}
inline uint32_t getNumberOfElements(const Shape& shape, size_t firstAxisInclusive,
                                    size_t lastAxisExclusive) {
    return ::nnapi_android::product(shape.dimensions, firstAxisInclusive, lastAxisExclusive);
}
inline uint32_t getNumberOfDimensions(const Shape& shape) {
    return static_cast<uint32_t>(shape.dimensions.size());
}
// 0 for an axis that the shape does not have.
inline uint32_t getSizeOfDimension(const Shape& shape, uint32_t dimensionIdx) {
    return dimensionIdx < shape.dimensions.size() ? shape.dimensions[dimensionIdx] : 0;
}
inline uint32_t hasKnownRank(const Shape& shape) { return !shape.dimensions.empty(); }

// Makes an axis that counts from the end count from the beginning.
inline bool handleNegativeAxis(int32_t numberOfDimensions, int32_t* axis) {
    NN_RET_CHECK_LE(-numberOfDimensions, *axis);
    NN_RET_CHECK_LT(*axis, numberOfDimensions);
    if (*axis < 0) *axis += numberOfDimensions;
    return true;
}
inline bool handleNegativeAxis(const Shape& shape, int32_t* axis) {
    return handleNegativeAxis(static_cast<int32_t>(shape.dimensions.size()), axis);
}

inline bool calculateBroadcastedShape(const Shape& in1, const Shape& in2, Shape* out) {
    NN_RET_CHECK(in1.type == in2.type);
    NN_RET_CHECK(::nnapi_android::broadcast(in1.dimensions, in2.dimensions, &out->dimensions));
    return true;
}
inline bool genericActivationPrepare(const Shape& input, Shape* output) {
    NN_RET_CHECK_LE(getNumberOfDimensions(input), 4u);
    return SetShape(input, output);
}
inline bool floorPrepare(const Shape& input, Shape* output) { return SetShape(input, output); }

// `targetDims` may have one -1, for the dimension that the others determine.
inline bool reshapePrepare(const Shape& input, const int32_t* targetDims,
                           const int32_t targetDimsSize, Shape* output) {
    NN_RET_CHECK(::nnapi_android::reshape(input.dimensions, targetDims, targetDimsSize,
                                          &output->dimensions));
    output->type = input.type;
    output->scale = input.scale;
    output->offset = input.offset;
    return true;
}
inline bool depthToSpacePrepare(const Shape& input, int32_t blockSize, Shape* output) {
    NN_RET_CHECK(::nnapi_android::depthToSpace(input.dimensions, blockSize, &output->dimensions));
    ::nnapi_android::takeType(input, output);
    return true;
}
inline bool spaceToDepthPrepare(const Shape& input, int32_t blockSize, Shape* output) {
    NN_RET_CHECK(::nnapi_android::spaceToDepth(input.dimensions, blockSize, &output->dimensions));
    ::nnapi_android::takeType(input, output);
    return true;
}
// `paddingsData` has two values for each dimension.
inline bool padPrepare(const Shape& input, const int32_t* paddingsData, const Shape& paddingsShape,
                       Shape* output) {
    NN_RET_CHECK_EQ(paddingsShape.dimensions.size(), 2u);
    NN_RET_CHECK_EQ(paddingsShape.dimensions[0], input.dimensions.size());
    NN_RET_CHECK_EQ(paddingsShape.dimensions[1], 2u);
    NN_RET_CHECK(::nnapi_android::pad(input.dimensions, paddingsData, &output->dimensions));
    ::nnapi_android::takeType(input, output);
    return true;
}
inline bool meanPrepare(const Shape& input, const int32_t* axisData, const Shape& axisShape,
                        bool keepDims, Shape* output) {
    NN_RET_CHECK(::nnapi_android::reduce(input.dimensions, axisData, getNumberOfElements(axisShape),
                                         keepDims, &output->dimensions));
    ::nnapi_android::takeType(input, output);
    return true;
}
inline bool argMinMaxPrepare(const Shape& input, int32_t axis, Shape* output) {
    NN_RET_CHECK(handleNegativeAxis(input, &axis));
    output->type = HelperTypes::OperandType::TENSOR_INT32;
    NN_RET_CHECK(::nnapi_android::reduce(input.dimensions, &axis, 1, false, &output->dimensions));
    return true;
}
inline bool splitPrepare(const Shape& input, int32_t axis, int32_t numOutputs,
                         std::vector<Shape>* output) {
    NN_RET_CHECK(handleNegativeAxis(input, &axis));
    NN_RET_CHECK_GT(numOutputs, 0);
    const uint32_t size = input.dimensions[static_cast<size_t>(axis)];
    const auto parts = static_cast<uint32_t>(numOutputs);
    NN_RET_CHECK_EQ(size % parts, 0u);
    for (Shape& part : *output) {
        part = input;
        part.dimensions[static_cast<size_t>(axis)] = size / parts;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Quantized values

// multiplier = quantized_multiplier / 2^31 * 2^shift. A multiplier below 2^-32 becomes 0.
inline bool QuantizeMultiplier(double double_multiplier, int32_t* quantized_multiplier,
                               int32_t* shift) {
    NN_RET_CHECK(
            ::nnapi_android::quantizeMultiplier(double_multiplier, quantized_multiplier, shift));
    return true;
}
inline bool QuantizeMultiplierSmallerThanOneExp(double double_multiplier,
                                                int32_t* quantized_multiplier,
                                                int32_t* left_shift) {
    NN_RET_CHECK_GT(double_multiplier, 0.0);
    NN_RET_CHECK_LT(double_multiplier, 1.0);
    return QuantizeMultiplier(double_multiplier, quantized_multiplier, left_shift);
}
inline bool QuantizeMultiplierSmallerThanOne(double double_multiplier,
                                             int32_t* quantized_multiplier, int32_t* right_shift) {
    NN_RET_CHECK(QuantizeMultiplierSmallerThanOneExp(double_multiplier, quantized_multiplier,
                                                     right_shift));
    *right_shift = -*right_shift;
    return true;
}
inline bool QuantizeMultiplierGreaterThanOne(double double_multiplier,
                                             int32_t* quantized_multiplier, int* left_shift) {
    NN_RET_CHECK_GT(double_multiplier, 1.0);
    return QuantizeMultiplier(double_multiplier, quantized_multiplier, left_shift);
}
// Input scale times filter scale, which is the scale of the bias, over output scale.
inline bool GetQuantizedConvolutionMultipler(const Shape& inputShape, const Shape& filterShape,
                                             const Shape& biasShape, const Shape& outputShape,
                                             double* multiplier) {
    const double product = static_cast<double>(inputShape.scale) * filterShape.scale;
    NN_RET_CHECK(std::abs(product - biasShape.scale) <=
                 1e-6 * std::min(product, double{biasShape.scale}));
    NN_RET_CHECK_GE(product, 0.0);
    *multiplier = product / outputShape.scale;
    return true;
}

inline void CalculateActivationRangeUint8(int32_t activation, const Shape& outputShape,
                                          int32_t* act_min, int32_t* act_max) {
    ::nnapi_android::storedRange(activation, ::nn::OperandType::TENSOR_QUANT8_ASYMM,
                                 outputShape.scale, outputShape.offset, act_min, act_max);
}
inline void CalculateActivationRangeInt8(int32_t activation, const Shape& outputShape,
                                         int32_t* act_min, int32_t* act_max) {
    ::nnapi_android::storedRange(activation, ::nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
                                 outputShape.scale, outputShape.offset, act_min, act_max);
}
inline void CalculateActivationRangeFloat(int32_t activation, float* activation_min,
                                          float* activation_max) {
    ::nnapi_android::realRange(activation, activation_min, activation_max);
}

template <class T>
T saturateCast(int32_t val) {
    return static_cast<T>(
            std::clamp<int32_t>(val, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// A value of one quantization in another.
template <class T>
T requantize(T value, const Shape& oldShape, const Shape& newShape) {
    const double real = (static_cast<double>(value) - oldShape.offset) * oldShape.scale;
    const double stored = real / newShape.scale + newShape.offset;
    return static_cast<T>(std::clamp<double>(std::round(stored), std::numeric_limits<T>::min(),
                                             std::numeric_limits<T>::max()));
}

// ---------------------------------------------------------------------------------------------
// Indexes

inline int ReverseMaskBits(int mask, int num_dimensions) {
    int reversed = 0;
    for (int i = 0; i < num_dimensions; ++i)
        reversed |= ((mask >> i) & 1) << (num_dimensions - 1 - i);
    return reversed;
}
inline int32_t PositiveRemainder(int32_t dividend, int32_t divisor) {
    return (divisor + (dividend % divisor)) % divisor;
}
// The index that a slice of a dimension begins or ends with.
inline int32_t ClampedIndex(int32_t index, int dim, bool pos_stride) {
    const int32_t fromStart = index < 0 ? index + dim : index;
    return pos_stride ? std::clamp(fromStart, 0, dim) : std::clamp(fromStart, -1, dim - 1);
}

}  // namespace android::nn

#include "nnapi_android/operation_prepare.h"
