// Finds the recipes of operations.
#pragma once

#include <string_view>

#include "nnapi/type_utils.h"
#include "opkit/recipes/recipe.h"

namespace nn::testing {

// The recipe of the operand: the operation folder's, else the shared one, else one without
// constraints.
const ops::Recipe& recipeOf(const OperationTypeInfo& operation, std::string_view operand);

}  // namespace nn::testing
