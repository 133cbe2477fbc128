// Recipe for random instances of ROI_ALIGN, ROI_POOLING.
#include "op_support/recipes/recipe.h"
#include "ops/roi/signature.h"

namespace nn::ops::roi {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, height, width, c)},
        {"outputHeight", between(1, 3)},
        {"outputWidth", between(1, 3)},
        {"heightRatio", between(1, 2)},
        {"widthRatio", between(1, 2)},
        {"heightSamples", oneOf({0, 1, 2, 3, 33})},
        {"widthSamples", oneOf({0, 1, 2, 3, 33})},
};

}  // namespace nn::ops::roi

namespace nn::ops::recipes {
extern constexpr Recipes roi{roi::kRecipes, roi::kAlignForms, roi::kPoolingForms};
}
