// RESHAPE by XNNPACK's device: copies the bytes.
#include "op_support/xnnpack/lowering.h"
#include "ops/reshape/signature.h"

namespace nn::ops::reshape {

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::RESHAPE, xnnpack::Copy{}}};

}  // namespace nn::ops::reshape

namespace nn::xnnpack::folders {
extern constexpr LoweringRows reshape = ops::reshape::kLowerings;
}
