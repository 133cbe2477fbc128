// GROUPED_CONV_2D by XNNPACK.
#include "op_support/xnnpack/convolution.h"
#include "ops/grouped_conv_2d/signature.h"

namespace nn::ops::grouped_conv_2d {

static_assert(kInput == 0);

static bool lowerGroupedConv2d(const xnnpack::Lowerer& l) {
    return xnnpack::lowerConvolution(l, kWindowRules, kActivation, /*isDepthwise=*/false);
}

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::GROUPED_CONV_2D, lowerGroupedConv2d}};

}  // namespace nn::ops::grouped_conv_2d

namespace nn::xnnpack::folders {
extern constexpr LoweringRows grouped_conv_2d = ops::grouped_conv_2d::kLowerings;
}
