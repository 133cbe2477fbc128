// CONV_2D by XNNPACK.
#include "op_support/xnnpack/convolution.h"
#include "ops/conv_2d/signature.h"

namespace nn::ops::conv_2d {

static_assert(kInput == 0);

static bool lowerConv2d(const xnnpack::Lowerer& l) {
    return xnnpack::lowerConvolution(l, kWindowRules, kActivation, /*isDepthwise=*/false);
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::CONV_2D, lowerConv2d}};

}  // namespace nn::ops::conv_2d

namespace nn::xnnpack::folders {
extern constexpr LoweringRows conv_2d = ops::conv_2d::kLowerings;
}
