// Recipe for random instances of TRANSPOSE.
#include "op_support/recipes/recipe.h"
#include "ops/transpose/signature.h"

namespace nn::ops::transpose {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", whole}),
        {"perm", {wholeRank}, permutation},
};

}  // namespace nn::ops::transpose

namespace nn::ops::recipes {
extern constexpr Recipes transpose{transpose::kRecipes, transpose::kForms};
}
