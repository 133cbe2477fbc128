// Recipe for random instances of MIRROR_PAD.
#include "op_support/recipes/recipe.h"
#include "ops/mirror_pad/signature.h"

namespace nn::ops::mirror_pad {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"paddings", {wholeRank, 2}, between(0, 2)},
        {"mode", between(0, 1)},
};

}  // namespace nn::ops::mirror_pad

namespace nn::ops::recipes {
extern constexpr Recipes mirror_pad{mirror_pad::kRecipes, mirror_pad::kForms};
}
