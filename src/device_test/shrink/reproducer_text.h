// Text of reproducers in C and in C++: literals of tensor elements, and comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// A shell command that makes pkg-config find the modules of the installation or build tree which
// the nnapi in PATH belongs to.
std::string pkgConfigPath();

// The text on one line, which neither ends a comment nor continues on the next line.
std::string commentText(std::string_view text);

}  // namespace nn::testing
