// Recipe for random instances of BOX_WITH_NMS_LIMIT.
#include "op_support/recipes/recipe.h"
#include "ops/box_with_nms_limit/signature.h"

namespace nn::ops::box_with_nms_limit {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"scores", {k, 2 * c}},
        {"roi", {k, 8 * c}, someBoxes},
        {"scoreThreshold", between(0, 1)},
        {"maxDetections", between(-1, 3)},
        {"kernel", between(0, 2)},
        {"sigma", between(0.5, 1)},
        {"nmsScoreThreshold", between(0, 1)},
};

}  // namespace nn::ops::box_with_nms_limit

namespace nn::ops::recipes {
extern constexpr Recipes box_with_nms_limit{box_with_nms_limit::kRecipes,
                                            box_with_nms_limit::kForms};
}
