// ADD, SUB, MUL, DIV by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/arithmetic/signature.h"

namespace nn::ops::arithmetic {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::ADD, xnnpack::Arithmetic{.activation = kActivation,
                                                 .real = NNAPI_XNN_BINARY(add, f32),
                                                 .qs8 = NNAPI_XNN_BINARY(add, qs8),
                                                 .qu8 = NNAPI_XNN_BINARY(add, qu8)}},
        {OperationType::SUB, xnnpack::Arithmetic{.activation = kActivation,
                                                 .real = NNAPI_XNN_BINARY(subtract, f32),
                                                 .qs8 = NNAPI_XNN_BINARY(subtract, qs8),
                                                 .qu8 = NNAPI_XNN_BINARY(subtract, qu8)}},
        {OperationType::MUL, xnnpack::Arithmetic{.activation = kActivation,
                                                 .real = NNAPI_XNN_BINARY(multiply, f32),
                                                 .qs8 = NNAPI_XNN_BINARY(multiply, qs8),
                                                 .qu8 = NNAPI_XNN_BINARY(multiply, qu8)}},
        {OperationType::DIV,
         xnnpack::Arithmetic{.activation = kActivation, .real = NNAPI_XNN_BINARY(divide, f32)}},
};

}  // namespace nn::ops::arithmetic

namespace nn::xnnpack::folders {
extern constexpr LoweringRows arithmetic = ops::arithmetic::kLowerings;
}
