// Recipe for random instances of PAD, PAD_V2.
#include "op_support/recipes/recipe.h"
#include "ops/pad/signature.h"

namespace nn::ops::pad {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"paddings", {wholeRank, 2}, between(0, 2)},
};

}  // namespace nn::ops::pad

namespace nn::ops::recipes {
extern constexpr Recipes pad{pad::kRecipes, pad::kForms};
}
