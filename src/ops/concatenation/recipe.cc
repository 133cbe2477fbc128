// Recipe for random instances of CONCATENATION.
#include "op_support/recipes/recipe.h"
#include "ops/concatenation/signature.h"

namespace nn::ops::concatenation {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input*", joinable}),
        {"axis", anyIndex},
};

}  // namespace nn::ops::concatenation

namespace nn::ops::recipes {
extern constexpr Recipes concatenation{concatenation::kRecipes, concatenation::kForms};
}
