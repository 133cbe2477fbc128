// DEPTHWISE_CONV_2D by XNNPACK.
#include "op_support/xnnpack/convolution.h"
#include "ops/depthwise_conv_2d/signature.h"

namespace nn::ops::depthwise_conv_2d {

static_assert(kInput == 0);

static bool lowerDepthwiseConv2d(const xnnpack::Lowerer& l) {
    return xnnpack::lowerConvolution(l, kWindowRules, kActivation, /*isDepthwise=*/true);
}

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::DEPTHWISE_CONV_2D, lowerDepthwiseConv2d}};

}  // namespace nn::ops::depthwise_conv_2d

namespace nn::xnnpack::folders {
extern constexpr LoweringRows depthwise_conv_2d = ops::depthwise_conv_2d::kLowerings;
}
