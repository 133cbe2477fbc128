// Recipe for random instances of DEPTHWISE_CONV_2D.
#include "op_support/recipes/recipe.h"
#include "ops/depthwise_conv_2d/signature.h"

namespace nn::ops::depthwise_conv_2d {

using namespace sizes;

constexpr Extent kFilters = m * c;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", image(n, height, width, c)}),
        perChannel(3, {"filter", {1, a, b, kFilters}}),
        {"bias", {kFilters}},
        {"depthMultiplier", sizesOf({m})},
};

}  // namespace nn::ops::depthwise_conv_2d

namespace nn::ops::recipes {
extern constexpr Recipes depthwise_conv_2d{depthwise_conv_2d::kRecipes, depthwise_conv_2d::kForms};
}
