// Recipe for random instances of POW.
#include "op_support/recipes/recipe.h"
#include "ops/pow/signature.h"

namespace nn::ops::pow {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"base", broadcastable},
        {"exponent", broadcastable},
};

}  // namespace nn::ops::pow

namespace nn::ops::recipes {
extern constexpr Recipes pow{pow::kRecipes, pow::kForms};
}
