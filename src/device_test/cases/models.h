// Small models for device test cases.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "nnapi/io.h"
#include "nnapi/result.h"
#include "nnapi/subgraph_builder.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

inline Operand floatTensor(std::vector<uint32_t> dimensions) {
    return {.type = OperandType::TENSOR_FLOAT32, .dimensions = std::move(dimensions)};
}
inline Operand quantTensor(std::vector<uint32_t> dimensions, float scale, int32_t zeroPoint) {
    return {.type = OperandType::TENSOR_QUANT8_ASYMM,
            .dimensions = std::move(dimensions),
            .scale = scale,
            .zeroPoint = zeroPoint};
}

// x + y of `size` floats; 0: the request determines the size.
Model addition(uint32_t size);

// Adds the constant 1 to x `length` times, with `size` floats: a model that keeps a device busy.
Model chain(size_t length, uint32_t size);

// A loop over one float that only a timeout ends; requires HAL 1.3.
Model endlessLoop();

// The bytes of a constant of any size; none if the operand is not constant.
Result<std::vector<uint8_t>> constantOf(const Model& model, const Operand& operand);

template <class E>
Tensor tensorOf(std::vector<uint32_t> dimensions, const std::vector<E>& values) {
    Tensor tensor{.dimensions = std::move(dimensions)};
    tensor.data.resize(values.size() * sizeof(E));
    if (!values.empty()) std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    return tensor;
}

// A number of floats: from, from + step, ...
std::vector<float> ramp(size_t count, float from, float step);

// A model, its inputs and the expected outputs.
struct Job {
    Model model{};
    std::vector<Tensor> inputs{};
    std::vector<Tensor> outputs{};
};

// addition(size) of [0, 1, 2...] * scale and [10, 20, 30...].
Job sumJob(uint32_t size = 4, float scale = 1);

// chain(length, size) of [0, 1, 2...].
Job chainJob(size_t length, uint32_t size);

// endlessLoop() of 1.
Job endlessJob();

}  // namespace nn::testing
