// Recipe for random instances of DEPTH_TO_SPACE.
#include "op_support/recipes/recipe.h"
#include "ops/depth_to_space/signature.h"

namespace nn::ops::depth_to_space {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, h, w, p* p* c)},
        {"blockSize", sizesOf({p})},
};

}  // namespace nn::ops::depth_to_space

namespace nn::ops::recipes {
extern constexpr Recipes depth_to_space{depth_to_space::kRecipes, depth_to_space::kForms};
}
