// Recipe for random instances of CONV_2D.
#include "op_support/recipes/recipe.h"
#include "ops/conv_2d/signature.h"

namespace nn::ops::conv_2d {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", image(n, height, width, c)}),
        {"filter", {k, a, b, c}},
        {"bias", {k}},
};

}  // namespace nn::ops::conv_2d

namespace nn::ops::recipes {
extern constexpr Recipes conv_2d{conv_2d::kRecipes, conv_2d::kForms};
}
