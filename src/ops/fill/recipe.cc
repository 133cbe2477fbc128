// Recipe for random instances of FILL.
#include "op_support/recipes/recipe.h"
#include "ops/fill/signature.h"

namespace nn::ops::fill {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"dims", {few}, between(1, 3)},
};

}  // namespace nn::ops::fill

namespace nn::ops::recipes {
extern constexpr Recipes fill{fill::kRecipes, fill::kForms};
}
