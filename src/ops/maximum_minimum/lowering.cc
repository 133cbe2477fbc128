// MAXIMUM and MINIMUM by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/maximum_minimum/signature.h"

namespace nn::ops::maximum_minimum {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::MAXIMUM, xnnpack::Binary{NNAPI_XNN_BINARY(maximum, f32)}},
        {OperationType::MINIMUM, xnnpack::Binary{NNAPI_XNN_BINARY(minimum, f32)}},
};

}  // namespace nn::ops::maximum_minimum

namespace nn::xnnpack::folders {
extern constexpr LoweringRows maximum_minimum = ops::maximum_minimum::kLowerings;
}
