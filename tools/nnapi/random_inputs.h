// Random inputs for the execution of a model whose user has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::cli {

// That many random bytes; equal seeds give equal bytes.
std::vector<uint8_t> randomBytes(uint64_t seed, size_t count);

// The inputs of an execution.
struct ExecutionInputs {
    std::vector<Tensor> values{};
    std::optional<uint64_t> seed{};  // of random values; empty: they were given
    bool hasOpenDimensions = false;  // open dimensions of random values are 1

    // "on random inputs of seed 1"; empty for given ones.
    std::string origin() const;
};

// Random values of the inputs of a model; equal seeds give equal values. Open dimensions become 1.
// Fails if the size of an input is unknown or exceeds the limits.
Result<ExecutionInputs> randomInputs(const Model& model, uint64_t seed, const Limits& limits);

}  // namespace nn::cli
