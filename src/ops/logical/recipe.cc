// Recipe for random instances of LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR.
#include "op_support/recipes/recipe.h"
#include "ops/logical/signature.h"

namespace nn::ops::logical {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input*", broadcastable},
};

}  // namespace nn::ops::logical

namespace nn::ops::recipes {
extern constexpr Recipes logical{logical::kRecipes, logical::kPairForms, logical::kNotForms};
}
