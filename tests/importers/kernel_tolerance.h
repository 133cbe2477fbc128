// How far the results of one operation may be from those of another program.
#pragma once

#include "nnapi/testing/compare.h"
#include "nnapi/types.h"

namespace nn {

// One unit of quantized types, 1e-5 + 1e-4 * |x| of floats.
inline testing::Tolerance toleranceOf(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return {.absolute = 1e-5, .relative = 1e-4};
        case OperandType::TENSOR_FLOAT16:
            return {.absolute = 1e-3, .relative = 1e-3};
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return {.absolute = 1};
        default:
            return {};
    }
}

}  // namespace nn
