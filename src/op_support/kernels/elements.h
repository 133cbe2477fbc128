// The elements of a tensor as numbers that compare as their real values do: floats for floating
// point types, the stored values for the others. Nothing is rounded.
//
//   visitElements(op, kInput, [&]<class E>(std::span<const E> x) {
//       const std::span<E> y = elementOutput<E>(op, 0);
//       y[0] = *absl::c_max_element(x);
//       storeElements<E>(op, 0, y);
//   });
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "op_support/kernels/kernel_call.h"

namespace nn::ops {

// Calls f with the elements of an input, which is of a floating point, integer or 8-bit asymmetric
// type.
template <class F>
void visitElements(KernelCall& op, size_t input, F f) {
    const Value& value = op.input(input);
    switch (value.type) {
        case TENSOR_INT32:
            return f(value.as<int32_t>());
        case TENSOR_QUANT8_ASYMM:
            return f(value.as<uint8_t>());
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return f(value.as<int8_t>());
        default:
            return f(op.reals(input));
    }
}

// The buffer to write such elements of an output to.
template <class E>
std::span<E> elementOutput(KernelCall& op, size_t output) {
    if constexpr (std::same_as<E, float>) {
        return op.realOutput(output);
    } else {
        return op.output(output).template mutableAs<E>();
    }
}

// Stores the elements of a buffer from elementOutput.
template <class E>
void storeElements(KernelCall& op, size_t output, std::span<const E> elements) {
    if constexpr (std::same_as<E, float>) op.store(output, elements);
}

}  // namespace nn::ops
