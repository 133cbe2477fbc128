// How to draw MAXIMUM, MINIMUM.
#include "opkit/recipes/recipe.h"
#include "ops/maximum_minimum/signature.h"

namespace nn::ops::maximum_minimum {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input1", either(whole, {1})},
};

}  // namespace nn::ops::maximum_minimum

namespace nn::ops::recipes {
extern constexpr Recipes maximum_minimum{maximum_minimum::kRecipes, maximum_minimum::kForms};
}
