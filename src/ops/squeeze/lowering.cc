// SQUEEZE by XNNPACK's device: copies the bytes.
#include "op_support/xnnpack/lowering.h"
#include "ops/squeeze/signature.h"

namespace nn::ops::squeeze {

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::SQUEEZE, xnnpack::Copy{}}};

}  // namespace nn::ops::squeeze

namespace nn::xnnpack::folders {
extern constexpr LoweringRows squeeze = ops::squeeze::kLowerings;
}
