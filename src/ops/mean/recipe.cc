// Recipe for random instances of MEAN.
#include "op_support/recipes/recipe.h"
#include "ops/mean/signature.h"

namespace nn::ops::mean {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"axis", {few}, anyAxis},
};

}  // namespace nn::ops::mean

namespace nn::ops::recipes {
extern constexpr Recipes mean{mean::kRecipes, mean::kForms};
}
