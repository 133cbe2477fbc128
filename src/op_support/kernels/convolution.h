// The arithmetic that convolutions share: sums over windows as matrix products, and the way from
// sums to results. Quantized sums are exact in integers and rounded once.
#pragma once

#include <algorithm>
#include <functional>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/matrix.h"
#include "op_support/rules/quantization.h"
#include "op_support/rules/window_2d.h"

namespace nn::ops {

// A convolution of NHWC images: `groups` convolutions side by side, each of its share of the
// input's and of the output's channels. The filter is [outputChannels, height, width, inputChannels
// / groups].
struct Convolution {
    size_t batches = 1;
    size_t inputChannels = 1;
    size_t outputChannels = 1;
    size_t groups = 1;
    WindowAxis height{};
    WindowAxis width{};
    bool isNchw = false;  // the declared layout of input and output
    int32_t activation = 0;
};

// Computes output 0 from the input, the filter and the bias, which are inputs 0 to 2.
void convolve(KernelCall& op, const Convolution& convolution);

// Sums of the products of rows, sums[m][n] = sum_k (x[m][k] - zeroX) * (y[n][k] - zeroY), with the
// zero points of inputs 0 and 1; finish(sums, m, n) gets those from [m][n] on, part by part, from
// several threads. Rows are contiguous.
void multiplyRows(KernelCall& op, Matrix<const float> x, Matrix<const float> y,
                  const std::function<void(Matrix<const double>, size_t, size_t)>& finish);
void multiplyRows(KernelCall& op, Matrix<const int8_t> x, Matrix<const int8_t> y,
                  const std::function<void(Matrix<const int32_t>, size_t, size_t)>& finish);

// The number of consecutive windows from this one on that are entirely inside the image; 1 if this
// one is not.
inline int64_t wholeWindows(const WindowAxis& axis, int64_t position, WindowAxis::Taps taps) {
    if (taps.count() != axis.filter) return 1;
    const int64_t room = axis.input - 1 - (taps.start + (axis.filter - 1) * axis.dilation);
    return std::min(room / axis.stride + 1, axis.output - position);
}

// Brings sums of products of stored values to the output's scale:
//   y = clamp(zeroPoint + (sum + bias[c]) * inputScale * filterScale[c] / outputScale)
class Rescale {
   public:
    // Scales and bias are those of inputs 0 to 2.
    Rescale(KernelCall& op, size_t channels, int32_t activation);

    // Stores the results of consecutive channels; after the last comes the first again, of the next
    // position. E is the output's type.
    template <class E>
    void store(std::span<const int32_t> sums, size_t firstChannel, E* y) const;

   private:
    static constexpr size_t kBlock = 256;
    // By channel; all channels repeated if they are few.
    std::span<int32_t> mBias;
    std::span<int32_t> mSignificands;  // of the multipliers
    std::span<int32_t> mShifts;        // minus their exponents
    std::span<int32_t> mHalves;        // see Rescaling
    bool mAreBelowOne = true;          // no exponent is above 0
    StoredRange mRange{};
    int32_t mZeroPoint = 0;
};

// Calls a function with values of the stored types of a quantized input (and output) and filter.
template <class Function>
void withStoredTypes(const OpView& op, Function function) {
    if (op.input(0).type == TENSOR_QUANT8_ASYMM_SIGNED) {
        function(int8_t{}, int8_t{});
    } else if (op.input(1).type == TENSOR_QUANT8_ASYMM) {
        function(uint8_t{}, uint8_t{});
    } else {
        function(uint8_t{}, int8_t{});
    }
}

}  // namespace nn::ops
