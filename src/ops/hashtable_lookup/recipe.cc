// Recipe for random instances of HASHTABLE_LOOKUP.
#include "op_support/recipes/recipe.h"
#include "ops/hashtable_lookup/signature.h"

namespace nn::ops::hashtable_lookup {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"lookups", {k}, between(0, 3)},
        {"keys", {v}, ascending},
        {"values", {v, c}},
};

}  // namespace nn::ops::hashtable_lookup

namespace nn::ops::recipes {
extern constexpr Recipes hashtable_lookup{hashtable_lookup::kRecipes, hashtable_lookup::kForms};
}
