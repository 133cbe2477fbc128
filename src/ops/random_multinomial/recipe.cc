// Recipe for random instances of RANDOM_MULTINOMIAL.
#include "op_support/recipes/recipe.h"
#include "ops/random_multinomial/signature.h"

namespace nn::ops::random_multinomial {

using namespace sizes;

// Not both 0, which would produce different numbers each time.
constexpr Recipe kRecipes[] = {
        {"logits", {n, c}},
        {"samples", between(1, 3)},
        {"seeds", {2}, between(1, 3)},
};

}  // namespace nn::ops::random_multinomial

namespace nn::ops::recipes {
extern constexpr Recipes random_multinomial{random_multinomial::kRecipes,
                                            random_multinomial::kForms};
}
