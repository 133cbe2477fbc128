// Images in the layout that kernels compute in: NHWC, with the channels of a pixel contiguous.
// Tensors that are declared NCHW are transposed on the way in and out.
//
//   const auto x = nhwcInput(op, op.reals(0), op.input(0), isNchw);
//   const auto result = op.realOutput(0);
//   const auto y = nhwcResult(op, result, isNchw);
//   ... computes y from x ...
//   storeNhwc(y, op.output(0), isNchw, result);
#pragma once

#include <algorithm>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"

namespace nn::ops {

// out[column][row] = in[row][column]
template <class E>
void transposeMatrix(const E* in, size_t rows, size_t columns, E* out) {
    const auto transpose = [&]<class Bits>(auto kernel, Bits) {
        kernel({reinterpret_cast<const Bits*>(in), rows, columns, columns},
               reinterpret_cast<Bits*>(out), rows);
    };
    static_assert(sizeof(E) == 1 || sizeof(E) == 4);
    if constexpr (sizeof(E) == 1) {
        transpose(vectorKernels().transpose8, uint8_t{});
    } else {
        transpose(vectorKernels().transpose32, uint32_t{});
    }
}

// The elements of an image of rank 4 as NHWC: themselves, or transposed into scratch.
template <class E>
std::span<const E> nhwcInput(KernelCall& op, std::span<const E> elements, const Value& image,
                             bool isNchw) {
    if (!isNchw) return elements;
    const std::span<E> out = op.scratch<E>(elements.size());
    const size_t channels = image[1], pixels = size_t{image[2]} * image[3];
    for (size_t start = 0; start < out.size(); start += channels * pixels) {
        transposeMatrix(elements.data() + start, channels, pixels, out.data() + start);
    }
    return out;
}

// The buffer to compute an output's elements in as NHWC: the output itself, or scratch.
template <class E>
std::span<E> nhwcResult(KernelCall& op, std::span<E> elements, bool isNchw) {
    return isNchw ? op.scratch<E>(elements.size()) : elements;
}

// Converts NHWC results to the declared layout of the output.
template <class E>
void storeNhwc(std::span<const E> computed, const Value& image, bool isNchw,
               std::span<E> elements) {
    if (!isNchw) return;
    const size_t channels = image[1], pixels = size_t{image[2]} * image[3];
    for (size_t start = 0; start < elements.size(); start += channels * pixels) {
        transposeMatrix(computed.data() + start, pixels, channels, elements.data() + start);
    }
}

}  // namespace nn::ops
