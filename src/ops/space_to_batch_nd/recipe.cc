// Recipe for random instances of SPACE_TO_BATCH_ND.
#include "op_support/recipes/recipe.h"
#include "ops/space_to_batch_nd/signature.h"

namespace nn::ops::space_to_batch_nd {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, p* h, q* w, c)},
        {"blockSize", {2}, sizesOf({p, q})},
        {"paddings", {2, 2}, between(0, 2)},
};

}  // namespace nn::ops::space_to_batch_nd

namespace nn::ops::recipes {
extern constexpr Recipes space_to_batch_nd{space_to_batch_nd::kRecipes, space_to_batch_nd::kForms};
}
