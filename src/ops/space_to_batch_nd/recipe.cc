// How to draw SPACE_TO_BATCH_ND.
#include "opkit/recipes/recipe.h"
#include "ops/space_to_batch_nd/signature.h"

namespace nn::ops::space_to_batch_nd {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, 2 * h, 2 * w, c)},
        {"blockSize", {2}, between(1, 2)},
        {"paddings", {2, 2}, always(0)},
};

}  // namespace nn::ops::space_to_batch_nd

namespace nn::ops::recipes {
extern constexpr Recipes space_to_batch_nd{space_to_batch_nd::kRecipes, space_to_batch_nd::kForms};
}
