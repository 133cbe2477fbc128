// CONV_2D of signed bytes by symmetric filters, without XNNPACK: Debian's version multiplies
// numbers of 16 bits where processors have instructions that add four products of bytes to a sum.
// The results have the same bits.
//
// The files of instruction sets include this header, so that it includes nothing but types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nn::xnnpack {

// Weights are stored in panels of kQuant8Outputs outputs, with kQuant8Inputs consecutive inputs of
// each.
inline constexpr size_t kQuant8Outputs = 16, kQuant8Inputs = 4;

// Consecutive pixels of a row of the output, and the inputs and weights that they depend on.
struct Quant8Pixels {
    // An element of the filter: the address of its input for the first pixel; each further pixel is
    // `step` bytes after. Up to kQuant8Inputs - 1 bytes after the channels are read and ignored.
    struct Tap {
        const uint8_t* at;
        size_t step;
    };
    const Tap* taps;
    size_t tapCount;
    size_t inputChannels;
    const int8_t* weights;  // [panel][tap][inputs / kQuant8Inputs][kQuant8Outputs][kQuant8Inputs]
    const int32_t* bias;    // [panel][kQuant8Outputs], for inputs that are stored + 128
    const float* scales;    // [panel][kQuant8Outputs]
    uint8_t* output;
    size_t count;
    size_t outputChannels;
    int32_t zeroPoint;
    float least, most;  // that the activation leaves, less the zero point
};

using Quant8Function = void (*)(const Quant8Pixels&);

// Null if this processor, or the library, has no such instructions.
Quant8Function quant8ConvolutionOfProcessor();

// Convolutions of more input channels are faster by XNNPACK on this processor.
size_t maxQuant8Inputs();

// Null if the library is not compiled for the instruction set.
Quant8Function quant8ConvolutionByAvx512();

}  // namespace nn::xnnpack
