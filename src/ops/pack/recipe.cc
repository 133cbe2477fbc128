// Recipe for random instances of PACK.
#include "op_support/recipes/recipe.h"
#include "ops/pack/signature.h"

namespace nn::ops::pack {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"axis", anyIndex},
        {"output", stack(k)},
};

}  // namespace nn::ops::pack

namespace nn::ops::recipes {
extern constexpr Recipes pack{pack::kRecipes, pack::kForms};
}
