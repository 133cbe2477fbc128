// Recipe for random instances of REDUCE_ALL, REDUCE_ANY, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD and
// REDUCE_SUM.
#include "op_support/recipes/recipe.h"
#include "ops/reduce/signature.h"

namespace nn::ops::reduce {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"axes", {few}, anyAxis},
};

}  // namespace nn::ops::reduce

namespace nn::ops::recipes {
extern constexpr Recipes reduce{reduce::kRecipes, reduce::kForms};
}
