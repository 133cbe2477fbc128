// Recipe for random instances of SQUEEZE.
#include "op_support/recipes/recipe.h"
#include "ops/squeeze/signature.h"

namespace nn::ops::squeeze {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", {1, h, w, c}},
        {"squeezeDims", {1}, always(0)},
};

}  // namespace nn::ops::squeeze

namespace nn::ops::recipes {
extern constexpr Recipes squeeze{squeeze::kRecipes, squeeze::kForms};
}
