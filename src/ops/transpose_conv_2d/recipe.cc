// Recipe for random instances of TRANSPOSE_CONV_2D.
#include "op_support/recipes/recipe.h"
#include "ops/transpose_conv_2d/signature.h"

namespace nn::ops::transpose_conv_2d {

using namespace sizes;

constexpr Extent kHeight = p * height;
constexpr Extent kWidth = q * width;

constexpr Recipe kRecipes[] = {
        {"input", image(n, height, width, c)},
        {"filter", {k, a, b, c}},
        {"bias", {k}},
        {"outputShape", {4}, sizesOf(image(n, kHeight, kWidth, k))},
        {"strideHeight", sizesOf({p})},
        {"strideWidth", sizesOf({q})},
};

}  // namespace nn::ops::transpose_conv_2d

namespace nn::ops::recipes {
extern constexpr Recipes transpose_conv_2d{transpose_conv_2d::kRecipes, transpose_conv_2d::kForms};
}
