// Recipe for random instances of AXIS_ALIGNED_BBOX_TRANSFORM.
#include "op_support/recipes/recipe.h"
#include "ops/axis_aligned_bbox_transform/signature.h"

namespace nn::ops::axis_aligned_bbox_transform {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"deltas", {k, 4 * c}},
        {"imageInfo", {n, 2}, between(4, 8)},
};

}  // namespace nn::ops::axis_aligned_bbox_transform

namespace nn::ops::recipes {
extern constexpr Recipes axis_aligned_bbox_transform{axis_aligned_bbox_transform::kRecipes,
                                                     axis_aligned_bbox_transform::kForms};
}
