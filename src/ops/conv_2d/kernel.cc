#include "op_support/kernels/convolution.h"
#include "ops/conv_2d/signature.h"

namespace nn::ops {

// y[n, i, j, k] = clamp(bias[k] + sum_{a, b, c} filter[k, a, b, c] *
//                       x[n, i * strideHeight - top + a * dilationHeight,
//                            j * strideWidth - left + b * dilationWidth, c])
bool kernels::CONV_2D(KernelCall& op) {
    using namespace conv_2d;
    const Value& filter = op.input(kFilter);
    const auto windows = slidingWindows(op, kWindowRules, filter[1], filter[2]);
    convolve(op, {.batches = op.input(kInput)[0],
                  .inputChannels = filter[3],
                  .outputChannels = filter[0],
                  .height = *windows->height,
                  .width = *windows->width,
                  .isNchw = *windows->isNchw,
                  .activation = *op.int32(kActivation[op.form()])});
    return true;
}

}  // namespace nn::ops
