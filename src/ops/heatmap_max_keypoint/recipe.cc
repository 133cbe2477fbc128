// Recipe for random instances of HEATMAP_MAX_KEYPOINT.
#include "op_support/recipes/recipe.h"
#include "ops/heatmap_max_keypoint/signature.h"

namespace nn::ops::heatmap_max_keypoint {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"heatmap", image(k, height, height, c)},
        {"boxes", {k, 4}, thinBoxes},
};

}  // namespace nn::ops::heatmap_max_keypoint

namespace nn::ops::recipes {
extern constexpr Recipes heatmap_max_keypoint{heatmap_max_keypoint::kRecipes,
                                              heatmap_max_keypoint::kForms};
}
