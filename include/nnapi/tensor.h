// nnapi/tensor.h -- a value outside any model: dimensions and bytes.
//
//   nn::Tensor input{.dimensions = {1, 2}, .data = bytes};
//
// Test cases hold tensors; executions take and return them for callers without shared memory.
#pragma once

#include <cstdint>
#include <vector>

namespace nn {

struct Tensor {
    std::vector<uint32_t> dimensions{};  // empty for a scalar
    std::vector<uint8_t> data{};         // elements in row-major order, little-endian, no padding
    bool hasNoValue = false;             // an omitted optional input
    bool operator==(const Tensor&) const = default;
};

}  // namespace nn
