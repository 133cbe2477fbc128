#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "nnapi/half.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/cast/signature.h"

namespace nn::ops {
namespace cast {
namespace {

// A float16 element: a type distinct from 16-bit integers.
struct Half {
    uint16_t bits;
};

// A double holds every element without loss.
double numberOf(Half x) { return halfToFloat(x.bits); }
template <class E>
double numberOf(E x) {
    return x;
}

// Truncates towards zero and saturates; NaN becomes 0.
template <class E>
E fromNumber(double x) {
    if (std::isnan(x)) return 0;
    return static_cast<E>(
            std::clamp<double>(x, std::numeric_limits<E>::min(), std::numeric_limits<E>::max()));
}
template <>
float fromNumber(double x) {
    return static_cast<float>(x);
}
template <>
Half fromNumber(double x) {
    return {floatToHalf(static_cast<float>(x))};
}

// Calls f with an element of the type that stores an operand's values.
template <class F>
void withElement(OperandType type, F f) {
    switch (type) {
        case TENSOR_FLOAT16:
            return f(Half());
        case TENSOR_FLOAT32:
            return f(float());
        case TENSOR_INT32:
            return f(int32_t());
        default:
            return f(uint8_t());
    }
}

}  // namespace
}  // namespace cast

// y = x as a number of the output's type; scale and zero point are ignored
bool kernels::CAST(KernelCall& op) {
    using namespace cast;
    const Value& input = op.input(kInput);
    const Value& output = op.output(0);
    if (input.type == output.type) {
        copyElements(input, output);
        return true;
    }
    withElement(input.type, [&]<class From>(From) {
        withElement(output.type, [&]<class To>(To) {
            absl::c_transform(input.as<From>(), output.mutableAs<To>().begin(),
                              [](From x) { return fromNumber<To>(numberOf(x)); });
        });
    });
    return true;
}

}  // namespace nn::ops
