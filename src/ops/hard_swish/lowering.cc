// HARD_SWISH by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/hard_swish/signature.h"

namespace nn::ops::hard_swish {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::HARD_SWISH, xnnpack::Unary{NNAPI_XNN_UNARY(hardswish, f32)}},
};

}  // namespace nn::ops::hard_swish

namespace nn::xnnpack::folders {
extern constexpr LoweringRows hard_swish = ops::hard_swish::kLowerings;
}
