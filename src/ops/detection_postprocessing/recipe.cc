// Recipe for random instances of DETECTION_POSTPROCESSING.
#include "op_support/recipes/recipe.h"
#include "ops/detection_postprocessing/signature.h"

namespace nn::ops::detection_postprocessing {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"scores", {n, k, c}},
        {"deltas", either({n, k, 4}, {n, k, 6})},
        {"anchors", {k, 4}, between(1, 2)},
        {"scaleX", between(1, 10)},
        {"scaleY", between(1, 10)},
        {"scaleWidth", between(1, 10)},
        {"scaleHeight", between(1, 10)},
        {"maxDetections", between(1, 3)},
        {"maxClassesPerDetection", always(1)},
        {"maxDetectionsPerClass", between(1, 3)},
        {"scoreThreshold", between(0, 1)},
};

}  // namespace nn::ops::detection_postprocessing

namespace nn::ops::recipes {
extern constexpr Recipes detection_postprocessing{detection_postprocessing::kRecipes,
                                                  detection_postprocessing::kForms};
}
