// Finds the recipes of operations.
#pragma once

#include <string_view>

#include "nnapi/type_utils.h"
#include "op_support/recipes/recipe.h"

namespace nn::testing {

// The recipe of the operand: the operation's own, else the shared one, else one without
// constraints.
const ops::Recipe& recipeOf(const OperationTypeInfo& operation, std::string_view operand);

}  // namespace nn::testing
