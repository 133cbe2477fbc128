// Recipe for random instances of INSTANCE_NORMALIZATION.
#include "op_support/recipes/recipe.h"
#include "ops/instance_normalization/signature.h"

namespace nn::ops::instance_normalization {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", image(n, height, width, c)},
        {"epsilon", between(0.125, 1)},
};

}  // namespace nn::ops::instance_normalization

namespace nn::ops::recipes {
extern constexpr Recipes instance_normalization{instance_normalization::kRecipes,
                                                instance_normalization::kForms};
}
