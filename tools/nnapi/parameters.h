// Short descriptions of the operands of operations.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/types.h"

namespace nn::cli {

// "strideWidth" of CONV_2D: "step of the window along the width", from the operation's signature.
// Empty for an unknown operand; a test checks that every operation has all its meanings.
std::string meaningOf(OperationType type, std::string_view operand);

}  // namespace nn::cli
