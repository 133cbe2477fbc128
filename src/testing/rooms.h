// Which operand of which operation has which recipe.
#pragma once

#include <string_view>

#include "nnapi/type_utils.h"
#include "opkit/recipes/recipe.h"

namespace nn::testing {

// That of the room before the shared one; where there is none, one that takes any.
const ops::Recipe& recipeOf(const OperationTypeInfo& operation, std::string_view operand);

}  // namespace nn::testing
