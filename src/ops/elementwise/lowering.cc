// ABS, FLOOR, NEG and SQRT by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/elementwise/signature.h"

namespace nn::ops::elementwise {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::ABS, xnnpack::Unary{NNAPI_XNN_UNARY(abs, f32)}},
        {OperationType::FLOOR, xnnpack::Unary{NNAPI_XNN_UNARY(floor, f32)}},
        {OperationType::NEG, xnnpack::Unary{NNAPI_XNN_UNARY(negate, f32)}},
        {OperationType::SQRT, xnnpack::Unary{NNAPI_XNN_UNARY(square_root, f32)}},
};

}  // namespace nn::ops::elementwise

namespace nn::xnnpack::folders {
extern constexpr LoweringRows elementwise = ops::elementwise::kLowerings;
}
