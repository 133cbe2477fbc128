// What the operands of operations stand for, in a few words.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/types.h"

namespace nn::cli {

// "strideWidth" of CONV_2D: "step of the window along the width". Empty where nothing is known,
// which a test makes sure of for no operation.
std::string meaningOf(OperationType type, std::string_view parameter);

}  // namespace nn::cli
