// A digest of a model without the values of its constants.
#pragma once

#include <array>
#include <cstdint>

#include "nnapi/types.h"

namespace nn::runtime {

using ArchitectureHash = std::array<uint8_t, 32>;

// SHA-256 over 4-byte numbers, low byte first, with floats as their bits and each list preceded by
// its length: the number of graphs, and for each graph, the main graph first,
//   - its operands, each with type, dimensions, scale, zero point, lifetime, and 0, or 1 with
//   channel
//     dimension and channel scales, or 2 with the bytes of the extension;
//   - its operations, each with type, inputs and outputs;
//   - its inputs and its outputs.
// A type is its number followed by 0; an extension type is its number within the extension,
// followed by the extension's name, preceded by its length. The same in every process; zeros if
// libcrypto fails.
ArchitectureHash architectureHash(const Model& model);

}  // namespace nn::runtime
