// Recipe for random instances of REVERSE.
#include "op_support/recipes/recipe.h"
#include "ops/reverse/signature.h"

namespace nn::ops::reverse {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"axis", {1}, anyIndex},
};

}  // namespace nn::ops::reverse

namespace nn::ops::recipes {
extern constexpr Recipes reverse{reverse::kRecipes, reverse::kForms};
}
