// How to draw BATCH_TO_SPACE_ND.
#include "opkit/recipes/recipe.h"
#include "ops/batch_to_space_nd/signature.h"

namespace nn::ops::batch_to_space_nd {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(4 * n, h, w, c)},
        {"blockSize", {2}, between(1, 2)},
};

}  // namespace nn::ops::batch_to_space_nd

namespace nn::ops::recipes {
extern constexpr Recipes batch_to_space_nd{batch_to_space_nd::kRecipes, batch_to_space_nd::kForms};
}
