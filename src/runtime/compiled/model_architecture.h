// A digest of a model without the values of its constants.
#pragma once

#include <array>
#include <cstdint>

#include "nnapi/types.h"

namespace nn::runtime {

using ArchitectureHash = std::array<uint8_t, 32>;

// SHA-256 of operands, operations, inputs and outputs of all graphs, as docs/c_api.md describes;
// zeros if libcrypto fails. The same in every process.
ArchitectureHash architectureHash(const Model& model);

}  // namespace nn::runtime
