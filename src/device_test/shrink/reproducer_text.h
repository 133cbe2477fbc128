// Text that programs in C and C++ share: literals of tensors' elements, and comments.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

// The type of stored elements in C: "float", "uint16_t" for 16-bit floats, "uint8_t" for booleans.
std::string_view elementTypeName(OperandType type);

// "1.0f, -3.5f", or nothing without elements. `infinity` and `nan` are how the language writes
// them.
std::string elementList(OperandType type, const Tensor& tensor, std::string_view infinity,
                        std::string_view nan);

// "1, 2"
std::string numberList(const std::vector<uint32_t>& numbers);

// A line for a shell, after which pkg-config finds the modules of the nnapi in PATH: those of its
// installation or build tree.
std::string pkgConfigPath();

// In one line that ends no comment and continues no line.
std::string commentText(std::string_view text);

}  // namespace nn::testing
