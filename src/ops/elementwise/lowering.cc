// ABS, FLOOR, NEG and SQRT by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/elementwise/signature.h"

namespace nn::ops::elementwise {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::ABS, xnnpack::Unary{{xnn_create_abs_nc_f32, xnn_setup_abs_nc_f32}}},
        {OperationType::FLOOR, xnnpack::Unary{{xnn_create_floor_nc_f32, xnn_setup_floor_nc_f32}}},
        {OperationType::NEG, xnnpack::Unary{{xnn_create_negate_nc_f32, xnn_setup_negate_nc_f32}}},
        {OperationType::SQRT,
         xnnpack::Unary{{xnn_create_square_root_nc_f32, xnn_setup_square_root_nc_f32}}},
};

}  // namespace nn::ops::elementwise

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows elementwise = ops::elementwise::kLowerings;
}
