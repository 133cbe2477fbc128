// How to draw POW.
#include "opkit/recipes/recipe.h"
#include "ops/pow/signature.h"

namespace nn::ops::pow {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"exponent", either(whole, {1})},
};

}  // namespace nn::ops::pow

namespace nn::ops::recipes {
extern constexpr Recipes pow{pow::kRecipes, pow::kForms};
}
