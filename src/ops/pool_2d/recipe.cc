// Recipe for random instances of AVERAGE_POOL_2D, L2_POOL_2D, MAX_POOL_2D.
#include "op_support/recipes/recipe.h"
#include "ops/pool_2d/signature.h"

namespace nn::ops::pool_2d {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", image(n, height, width, c)}),
};

}  // namespace nn::ops::pool_2d

namespace nn::ops::recipes {
extern constexpr Recipes pool_2d{pool_2d::kRecipes, pool_2d::kForms};
}
