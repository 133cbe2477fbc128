// EXPAND_DIMS by XNNPACK's device: copies the bytes.
#include "op_support/xnnpack/lowering.h"
#include "ops/expand_dims/signature.h"

namespace nn::ops::expand_dims {

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::EXPAND_DIMS, xnnpack::Copy{}}};

}  // namespace nn::ops::expand_dims

namespace nn::xnnpack::folders {
extern constexpr LoweringRows expand_dims = ops::expand_dims::kLowerings;
}
