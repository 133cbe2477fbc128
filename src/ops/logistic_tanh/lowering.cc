// LOGISTIC and TANH by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/logistic_tanh/signature.h"

namespace nn::ops::logistic_tanh {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::LOGISTIC, xnnpack::Unary{.real = NNAPI_XNN_UNARY(sigmoid, f32),
                                                 .qs8 = NNAPI_XNN_UNARY(sigmoid, qs8),
                                                 .qu8 = NNAPI_XNN_UNARY(sigmoid, qu8)}},
        {OperationType::TANH, xnnpack::Unary{.real = NNAPI_XNN_UNARY_2024(tanh, f32),
                                             .qs8 = NNAPI_XNN_UNARY(tanh, qs8),
                                             .qu8 = NNAPI_XNN_UNARY(tanh, qu8)}},
};

}  // namespace nn::ops::logistic_tanh

namespace nn::xnnpack::folders {
extern constexpr LoweringRows logistic_tanh = ops::logistic_tanh::kLowerings;
}
