// How to draw SPACE_TO_DEPTH.
#include "opkit/recipes/recipe.h"
#include "ops/space_to_depth/signature.h"

namespace nn::ops::space_to_depth {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, 2 * h, 2 * w, c)},
        {"blockSize", between(1, 2)},
};

}  // namespace nn::ops::space_to_depth

namespace nn::ops::recipes {
extern constexpr Recipes space_to_depth{space_to_depth::kRecipes, space_to_depth::kForms};
}
