// Compares models whose operands have other numbers, and whose constants lie elsewhere.
#pragma once

#include <string>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::importing {

// The first difference, "main.operations[4].inputs[2]: has dimensions [1, 2] and [2]"; empty if the
// models are the same but for the numbers of operands and graphs and for where constants are. Both
// models are legal. Fails if a memory cannot be mapped.
Result<std::string> differenceOf(const Model& a, const Model& b);

}  // namespace nn::importing
