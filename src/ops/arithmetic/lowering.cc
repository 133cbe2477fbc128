// ADD, SUB, MUL, DIV by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/arithmetic/signature.h"

namespace nn::ops::arithmetic {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::ADD,
         xnnpack::Arithmetic{.activation = kActivation,
                             .real = {xnn_create_add_nd_f32, xnn_setup_add_nd_f32},
                             .qs8 = {xnn_create_add_nd_qs8, xnn_setup_add_nd_qs8},
                             .qu8 = {xnn_create_add_nd_qu8, xnn_setup_add_nd_qu8}}},
        {OperationType::SUB,
         xnnpack::Arithmetic{.activation = kActivation,
                             .real = {xnn_create_subtract_nd_f32, xnn_setup_subtract_nd_f32},
                             .qs8 = {xnn_create_subtract_nd_qs8, xnn_setup_subtract_nd_qs8},
                             .qu8 = {xnn_create_subtract_nd_qu8, xnn_setup_subtract_nd_qu8}}},
        {OperationType::MUL,
         xnnpack::Arithmetic{.activation = kActivation,
                             .real = {xnn_create_multiply_nd_f32, xnn_setup_multiply_nd_f32},
                             .qs8 = {xnn_create_multiply_nd_qs8, xnn_setup_multiply_nd_qs8},
                             .qu8 = {xnn_create_multiply_nd_qu8, xnn_setup_multiply_nd_qu8}}},
        {OperationType::DIV,
         xnnpack::Arithmetic{.activation = kActivation,
                             .real = {xnn_create_divide_nd_f32, xnn_setup_divide_nd_f32}}},
};

}  // namespace nn::ops::arithmetic

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows arithmetic = ops::arithmetic::kLowerings;
}
