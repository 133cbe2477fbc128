// nnapi_android/operation_shapes.h -- What OperationsUtils.h computes, on dimensions and numbers.
//
// Functions that return false have left their results unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nnapi/types.h"

namespace nnapi_android {

// Type, dimensions and quantization of an operand.
template <class Types>
struct BasicShape {
    typename Types::ShapeType type{};
    std::vector<uint32_t> dimensions{};
    float scale = 0.0f;
    int32_t offset = 0;
    typename Types::OperandExtraParams extraParams{};
};

template <class Shape>
void takeType(const Shape& input, Shape* output) {
    output->type = input.type;
    output->scale = input.scale;
    output->offset = input.offset;
}

struct Paddings {
    int32_t head = 0;
    int32_t tail = 0;
    bool operator==(const Paddings&) const = default;
};
// Of a padding scheme; for a transposed convolution, `size` is that of the output.
Paddings implicitPadding(int32_t size, int32_t stride, int32_t dilation, int32_t filter,
                         int32_t scheme, bool isTransposed);

using Dimensions = std::vector<uint32_t>;

// The product of the dimensions from `first` to before `last`; saturates.
uint32_t product(const Dimensions& dimensions, size_t first, size_t last);

bool broadcast(const Dimensions& a, const Dimensions& b, Dimensions* result);
bool reshape(const Dimensions& input, const int32_t* target, int32_t count, Dimensions* result);
// Of images with channels last.
bool depthToSpace(const Dimensions& input, int32_t blockSize, Dimensions* result);
bool spaceToDepth(const Dimensions& input, int32_t blockSize, Dimensions* result);
bool pad(const Dimensions& input, const int32_t* paddings, Dimensions* result);
// Without the axes, or with 1 in their places. A result without dimensions becomes [1].
bool reduce(const Dimensions& input, const int32_t* axes, size_t count, bool keepDimensions,
            Dimensions* result);

bool quantizeMultiplier(double multiplier, int32_t* significand, int32_t* exponent);
// The bounds of a fused activation. All values of the type, or all numbers, for unknown codes.
void storedRange(int32_t activation, ::nn::OperandType type, float scale, int32_t zeroPoint,
                 int32_t* least, int32_t* most);
void realRange(int32_t activation, float* least, float* most);

}  // namespace nnapi_android
