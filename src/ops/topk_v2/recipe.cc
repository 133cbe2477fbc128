// Recipe for random instances of TOPK_V2.
#include "op_support/recipes/recipe.h"
#include "ops/topk_v2/signature.h"

namespace nn::ops::topk_v2 {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"k", between(1, 3)},
};

}  // namespace nn::ops::topk_v2

namespace nn::ops::recipes {
extern constexpr Recipes topk_v2{topk_v2::kRecipes, topk_v2::kForms};
}
