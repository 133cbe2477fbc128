// Recipe for random instances of GROUPED_CONV_2D.
#include "op_support/recipes/recipe.h"
#include "ops/grouped_conv_2d/signature.h"

namespace nn::ops::grouped_conv_2d {

using namespace sizes;

constexpr Extent kChannels = g * c;
constexpr Extent kFilters = g * k;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", image(n, height, width, kChannels)}),
        {"filter", {kFilters, a, b, c}},
        {"bias", {kFilters}},
        {"groups", sizesOf({g})},
};

}  // namespace nn::ops::grouped_conv_2d

namespace nn::ops::recipes {
extern constexpr Recipes grouped_conv_2d{grouped_conv_2d::kRecipes, grouped_conv_2d::kForms};
}
