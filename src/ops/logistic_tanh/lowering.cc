// LOGISTIC and TANH by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/logistic_tanh/signature.h"

namespace nn::ops::logistic_tanh {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::LOGISTIC,
         xnnpack::Unary{.real = {xnn_create_sigmoid_nc_f32, xnn_setup_sigmoid_nc_f32},
                        .qs8 = {xnn_create_sigmoid_nc_qs8, xnn_setup_sigmoid_nc_qs8},
                        .qu8 = {xnn_create_sigmoid_nc_qu8, xnn_setup_sigmoid_nc_qu8}}},
        {OperationType::TANH,
         xnnpack::Unary{.qs8 = {xnn_create_tanh_nc_qs8, xnn_setup_tanh_nc_qs8},
                        .qu8 = {xnn_create_tanh_nc_qu8, xnn_setup_tanh_nc_qu8}}},
};

}  // namespace nn::ops::logistic_tanh

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows logistic_tanh = ops::logistic_tanh::kLowerings;
}
