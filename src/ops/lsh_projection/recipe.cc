// Recipe for random instances of LSH_PROJECTION.
#include "op_support/recipes/recipe.h"
#include "ops/lsh_projection/signature.h"

namespace nn::ops::lsh_projection {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"hash", {k, b}, between(0, 1)},
        {"input", {v, c}},
        {"weights", {v}},
        {"type", between(1, 3)},
};

}  // namespace nn::ops::lsh_projection

namespace nn::ops::recipes {
extern constexpr Recipes lsh_projection{lsh_projection::kRecipes, lsh_projection::kForms};
}
