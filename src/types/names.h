// Names of enumerators, and text for values without a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nn {

// "OperandType(77)"; codes above 0xFFFF, which are an extension's, in hexadecimal.
std::string unnamed(std::string_view enumeration, int64_t code);

}  // namespace nn
