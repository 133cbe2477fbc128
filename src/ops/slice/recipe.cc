// Recipe for random instances of SLICE.
#include "op_support/recipes/recipe.h"
#include "ops/slice/signature.h"

namespace nn::ops::slice {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"begin", {wholeRank}, begins},
        {"size", {wholeRank}, lengths},
};

}  // namespace nn::ops::slice

namespace nn::ops::recipes {
extern constexpr Recipes slice{slice::kRecipes, slice::kForms};
}
