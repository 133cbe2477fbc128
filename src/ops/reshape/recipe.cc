// Recipe for random instances of RESHAPE.
#include "op_support/recipes/recipe.h"
#include "ops/reshape/signature.h"

namespace nn::ops::reshape {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"shape", either({wholeRank}, {few}), sizesOf(whole)},
};

}  // namespace nn::ops::reshape

namespace nn::ops::recipes {
extern constexpr Recipes reshape{reshape::kRecipes, reshape::kForms};
}
