// nnapi/tensor.h -- a value outside any model: dimensions and bytes.
//
//   nn::Tensor input{.dimensions = {1, 2}, .data = bytes};
//
// What test cases hold and executions take and give, for callers who do not manage shared memory.
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
