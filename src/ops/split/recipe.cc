// Recipe for random instances of SPLIT.
#include "op_support/recipes/recipe.h"
#include "ops/split/signature.h"

namespace nn::ops::split {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"numOutputs", outputCount},
};

}  // namespace nn::ops::split

namespace nn::ops::recipes {
extern constexpr Recipes split{split::kRecipes, split::kForms};
}
