#include "op_support/kernels/convolution.h"
#include "ops/fully_connected/signature.h"

namespace nn::ops {

// y[n, k] = clamp(bias[k] + sum_i weights[k, i] * x[n, i]): a convolution of images of one pixel,
// with the input as [batches, size].
bool kernels::FULLY_CONNECTED(KernelCall& op) {
    using namespace fully_connected;
    constexpr WindowAxis kOnePixel{.input = 1, .output = 1};
    convolve(op, {.batches = op.output(0)[0],
                  .inputChannels = op.input(kWeights)[1],
                  .outputChannels = op.input(kWeights)[0],
                  .height = kOnePixel,
                  .width = kOnePixel,
                  .activation = *op.int32(kActivation)});
    return true;
}

}  // namespace nn::ops
