#include <cstring>

#include "nnapi/type_utils.h"
#include "op_support/kernels/elementwise.h"
#include "op_support/kernels/kernel_call.h"

namespace nn::ops {
namespace concatenation {
namespace {

size_t product(std::span<const uint32_t> sizes) {
    size_t result = 1;
    for (const uint32_t size : sizes) result *= size;
    return result;
}

template <class E>
void requantize(const Value& x, const Value& y) {
    mapQuantized<E>(x, y, [](float real) { return real; });
}

// The elements of an input, requantized if its quantization differs from the output's.
const uint8_t* elementsFor(KernelCall& op, const Value& output, const Value& input) {
    if (input.scale == output.scale && input.zeroPoint == output.zeroPoint) return input.data;
    Value stored = input;
    stored.scale = output.scale;
    stored.zeroPoint = output.zeroPoint;
    stored.mutableData = op.scratchBytes(product(input.dimensions));
    if (input.type == TENSOR_QUANT8_ASYMM) {
        requantize<uint8_t>(input, stored);
    } else {
        requantize<int8_t>(input, stored);
    }
    return stored.mutableData;
}

}  // namespace
}  // namespace concatenation

// y[before, start_k + i, after] = x_k[before, i, after], with start_k the sum of the sizes of x_0
// ... x_k-1 along the axis
bool kernels::CONCATENATION(KernelCall& op) {
    using namespace concatenation;
    const size_t tensors = op.inputCount() - 1;
    const auto axis = static_cast<size_t>(*op.int32(tensors));
    const Value& output = op.output(0);
    const size_t size = elementSize(output.type);
    const size_t rows = product(output.dimensions.first(axis));
    const size_t outputRow = product(output.dimensions.subspan(axis)) * size;
    uint8_t* start = output.mutableData;
    for (size_t k = 0; k < tensors; ++k) {
        const size_t row = product(op.input(k).dimensions.subspan(axis)) * size;
        if (row == 0 || rows == 0) continue;
        const uint8_t* from = elementsFor(op, output, op.input(k));
        for (size_t r = 0; r < rows; ++r) {
            std::memcpy(start + r * outputRow, from + r * row, row);
        }
        start += row;
    }
    return true;
}

}  // namespace nn::ops
