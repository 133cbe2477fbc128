// Recipe for random instances of RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR.
#include "op_support/recipes/recipe.h"
#include "ops/resize/signature.h"

namespace nn::ops::resize {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", image(n, height, width, c)}),
        {"outputWidth", between(1, 9)},
        {"outputHeight", between(1, 9)},
        {"widthFactor", between(0.5, 2)},
        {"heightFactor", between(0.5, 2)},
};

}  // namespace nn::ops::resize

namespace nn::ops::recipes {
extern constexpr Recipes resize{resize::kRecipes, resize::kBilinearForms, resize::kNearestForms};
}
