// Recipe for random instances of BATCH_TO_SPACE_ND.
#include "op_support/recipes/recipe.h"
#include "ops/batch_to_space_nd/signature.h"

namespace nn::ops::batch_to_space_nd {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(p* q* n, h, w, c)},
        {"blockSize", {2}, sizesOf({p, q})},
};

}  // namespace nn::ops::batch_to_space_nd

namespace nn::ops::recipes {
extern constexpr Recipes batch_to_space_nd{batch_to_space_nd::kRecipes, batch_to_space_nd::kForms};
}
