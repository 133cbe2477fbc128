#include "op_support/kernels/convolution.h"
#include "ops/grouped_conv_2d/signature.h"

namespace nn::ops {

// y[n, i, j, k] = clamp(bias[k] + sum_{a, b, c} filter[k, a, b, c] *
//                       x[n, i * strideHeight - top + a, j * strideWidth - left + b,
//                         k / outputsOfGroup * inputsOfGroup + c])
bool kernels::GROUPED_CONV_2D(KernelCall& op) {
    using namespace grouped_conv_2d;
    const Value& filter = op.input(kFilter);
    const auto windows = slidingWindows(op, kWindowRules, filter[1], filter[2]);
    const auto groups = static_cast<size_t>(*op.int32(kGroups[op.form()]));
    convolve(op, {.batches = op.input(kInput)[0],
                  .inputChannels = *windows->input.channels,
                  .outputChannels = filter[0],
                  .groups = groups,
                  .height = *windows->height,
                  .width = *windows->width,
                  .isNchw = *windows->isNchw,
                  .activation = *op.int32(kActivation[op.form()])});
    return true;
}

}  // namespace nn::ops
