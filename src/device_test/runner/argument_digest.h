// Describes the arguments of a device's call in a line: sizes, types and checksums.
#pragma once

#include <string>
#include <vector>

#include "nnapi/types.h"

namespace nn::testing {

// "3 operations (CONV_2D, RELU, ...), 7 operands, 120 bytes of constants (1f2e3d4c)"
std::string digestOf(const Model& model);

// The types of a model's inputs and outputs.
struct ArgumentTypes {
    std::vector<Operand> inputs{};
    std::vector<Operand> outputs{};
};
ArgumentTypes argumentTypesOf(const Model& model);

// "inputs: TENSOR_FLOAT32 [2, 2] 16 bytes (1f2e3d4c); outputs: TENSOR_FLOAT32 [2, 2] 16 bytes"
// The checksum, a CRC-32, is of at most the first 64 KiB of each input in shared memory; memory
// that only has an address is not read, since a request of a test may be wrong on purpose.
std::string digestOf(const Request& request, const ArgumentTypes& types);

}  // namespace nn::testing
