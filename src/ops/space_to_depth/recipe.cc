// Recipe for random instances of SPACE_TO_DEPTH.
#include "op_support/recipes/recipe.h"
#include "ops/space_to_depth/signature.h"

namespace nn::ops::space_to_depth {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, p* h, p* w, c)},
        {"blockSize", sizesOf({p})},
};

}  // namespace nn::ops::space_to_depth

namespace nn::ops::recipes {
extern constexpr Recipes space_to_depth{space_to_depth::kRecipes, space_to_depth::kForms};
}
