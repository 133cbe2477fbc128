// Recipe for random instances of EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_EQUAL.
#include "op_support/recipes/recipe.h"
#include "ops/comparison/signature.h"

namespace nn::ops::comparison {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input*", broadcastable},
};

}  // namespace nn::ops::comparison

namespace nn::ops::recipes {
extern constexpr Recipes comparison{comparison::kRecipes, comparison::kForms};
}
