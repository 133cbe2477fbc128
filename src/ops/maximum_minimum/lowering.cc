// MAXIMUM and MINIMUM by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/maximum_minimum/signature.h"

namespace nn::ops::maximum_minimum {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::MAXIMUM,
         xnnpack::Binary{{xnn_create_maximum_nd_f32, xnn_setup_maximum_nd_f32}}},
        {OperationType::MINIMUM,
         xnnpack::Binary{{xnn_create_minimum_nd_f32, xnn_setup_minimum_nd_f32}}},
};

}  // namespace nn::ops::maximum_minimum

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows maximum_minimum = ops::maximum_minimum::kLowerings;
}
