// DEPTHWISE_CONV_2D of float32 by filters of 3 x 3 and 5 x 5, without XNNPACK, which fetches an
// address for each element of each window, and each weight for each pixel.
//
// The files of instruction sets include this header, so that it includes nothing but types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nn::xnnpack {

// One row of the output, and the inputs and weights that it depends on.
struct DepthwiseRow {
    const float* inputs[5];  // the rows of the image under the filter
    size_t inputCount;       // 0 to 5
    const float* weights;    // of the first of them: [row, column, channel]
    const float* bias;
    float* output;
    size_t channels;      // kMinDepthwiseChannels at least
    int64_t filterWidth;  // 3 or 5
    int64_t inputWidth, outputWidth;
    int64_t stride, head;          // along the row; head: columns of padding before it
    int64_t firstWhole, endWhole;  // the pixels whose windows are inside of the image
    float least, most;             // that the activation leaves
};
inline constexpr size_t kMinDepthwiseChannels = 16;

using DepthwiseFunction = void (*)(const DepthwiseRow&);

// By the best instructions of this processor; null if XNNPACK's are the best.
DepthwiseFunction depthwiseOfProcessor();

// Null for an instruction set that the library is not compiled for.
DepthwiseFunction depthwiseByAvx512();
DepthwiseFunction depthwiseByAvx2();

}  // namespace nn::xnnpack
