// How to draw SLICE.
#include "opkit/recipes/recipe.h"
#include "ops/slice/signature.h"

namespace nn::ops::slice {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"begin", {wholeRank}, always(0)},
        {"size", {wholeRank}, always(1)},
};

}  // namespace nn::ops::slice

namespace nn::ops::recipes {
extern constexpr Recipes slice{slice::kRecipes, slice::kForms};
}
