#include "op_support/kernels/kernel_call.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "op_support/kernels/vector_kernels.h"

namespace nn::ops {
namespace {

template <class E>
void dequantize(const Value& value, std::span<float> reals) {
    const std::span<const E> stored = value.as<E>();
    const auto zeroPoint = static_cast<float>(value.zeroPoint);
    for (size_t i = 0; i < reals.size(); ++i) {
        reals[i] = (static_cast<float>(stored[i]) - zeroPoint) * value.scale;
    }
}

}  // namespace

std::span<const float> KernelCall::reals(size_t i) {
    const Value& value = input(i);
    if (value.type == TENSOR_FLOAT32) return value.as<float>();
    const auto out = scratch<float>(static_cast<size_t>(value.elementCount().value_or(0)));
    switch (value.type) {
        case TENSOR_FLOAT16:
            vectorKernels().realsOfHalves(value.as<uint16_t>(), out.data());
            break;
        case TENSOR_QUANT8_ASYMM:
            vectorKernels().realsOfUnsigned(value.as<uint8_t>(), value.scale, value.zeroPoint,
                                            out.data());
            break;
        case TENSOR_QUANT8_ASYMM_SIGNED:
        case TENSOR_QUANT8_SYMM:
            vectorKernels().realsOfSigned(value.as<int8_t>(), value.scale, value.zeroPoint,
                                          out.data());
            break;
        case TENSOR_QUANT16_ASYMM:
            dequantize<uint16_t>(value, out);
            break;
        case TENSOR_QUANT16_SYMM:
            dequantize<int16_t>(value, out);
            break;
        default:
            absl::c_fill(out, 0.0f);
            break;
    }
    return out;
}

std::span<float> KernelCall::realOutput(size_t i) {
    const Value& value = output(i);
    if (value.type == TENSOR_FLOAT32) return value.mutableAs<float>();
    return scratch<float>(static_cast<size_t>(value.elementCount().value_or(0)));
}

void KernelCall::store(size_t i, std::span<const float> values) {
    const Value& value = output(i);
    switch (value.type) {
        case TENSOR_FLOAT32: {
            const auto out = value.mutableAs<float>();
            if (out.data() != values.data()) absl::c_copy(values, out.begin());
            break;
        }
        case TENSOR_FLOAT16:
            vectorKernels().halvesOfReals(values, value.mutableAs<uint16_t>().data());
            break;
        case TENSOR_QUANT8_ASYMM:
            vectorKernels().quantizeUnsigned(values, value.scale, value.zeroPoint,
                                             value.mutableAs<uint8_t>().data());
            break;
        case TENSOR_QUANT8_ASYMM_SIGNED:
            vectorKernels().quantizeSigned(values, value.scale, value.zeroPoint,
                                           value.mutableAs<int8_t>().data());
            break;
        case TENSOR_QUANT16_ASYMM:
            vectorKernels().quantizeUnsigned16(values, value.scale, value.zeroPoint,
                                               value.mutableAs<uint16_t>().data());
            break;
        case TENSOR_QUANT16_SYMM:
            vectorKernels().quantizeSigned16(values, value.scale, value.zeroPoint,
                                             value.mutableAs<int16_t>().data());
            break;
        default:
            break;
    }
}

bool KernelCall::resize(size_t i, std::span<const uint32_t> dimensions) {
    if (i >= mOutputs.size()) return false;
    Value& value = mOutputs[i];
    const MutableBytes data =
            mAllocator == nullptr ? MutableBytes() : mAllocator->allocate(i, dimensions);
    value.dimensions = dimensions;
    value.mutableData = data;
    return data != nullptr;
}

}  // namespace nn::ops
