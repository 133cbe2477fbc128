// Recipe for random instances of PRELU.
#include "op_support/recipes/recipe.h"
#include "ops/prelu/signature.h"

namespace nn::ops::prelu {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", broadcastable},
        {"alpha", broadcastable},
};

}  // namespace nn::ops::prelu

namespace nn::ops::recipes {
extern constexpr Recipes prelu{prelu::kRecipes, prelu::kForms};
}
