// Recipe for random instances of MAXIMUM, MINIMUM.
#include "op_support/recipes/recipe.h"
#include "ops/maximum_minimum/signature.h"

namespace nn::ops::maximum_minimum {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input*", broadcastable},
};

}  // namespace nn::ops::maximum_minimum

namespace nn::ops::recipes {
extern constexpr Recipes maximum_minimum{maximum_minimum::kRecipes, maximum_minimum::kForms};
}
