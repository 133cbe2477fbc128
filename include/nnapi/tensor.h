// nnapi/tensor.h -- A tensor value: dimensions and bytes.
//
//   nn::Tensor input{.dimensions = {1, 2}, .data = bytes};
//
// Test cases hold tensors, and executions take and return them for callers without shared memory.
#pragma once

#include <cstdint>
#include <vector>

namespace nn {

// The element type is that of its operand.
struct Tensor {
    std::vector<uint32_t> dimensions{};  // empty for a scalar
    std::vector<uint8_t> data{};         // elements in row-major order, little-endian, no padding
    bool hasNoValue = false;             // an omitted optional operand
    bool operator==(const Tensor&) const = default;
};

}  // namespace nn
