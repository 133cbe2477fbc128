// DEPTHWISE_CONV_2D of float32 by filters of 3 x 3, without XNNPACK, which fetches nine addresses
// for each pixel: where pixels have few channels, that takes most of its time.
//
// The files of instruction sets include this header, so that it includes nothing but types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nn::xnnpack {

// One row of the output, and what it is computed from.
struct DepthwiseRow {
    const float* inputs[3];  // the rows of the image under the filter, of which there are
    size_t inputCount;       // 1 to 3
    const float* weights;    // of the first of them: [row, column, channel]
    const float* bias;
    float* output;
    size_t channels;  // a multiple of kDepthwiseLanes
    int64_t inputWidth, outputWidth;
    int64_t stride, head;  // along the row; head: columns of padding before it
    float least, most;     // that the activation leaves
};
inline constexpr size_t kDepthwiseLanes = 16;

using DepthwiseFunction = void (*)(const DepthwiseRow&);

// By the best instructions of this processor; null where XNNPACK's are the best.
DepthwiseFunction depthwiseOfProcessor();

// Null for an instruction set that the library is not compiled for.
DepthwiseFunction depthwiseByAvx512();
DepthwiseFunction depthwiseByAvx2();

}  // namespace nn::xnnpack
