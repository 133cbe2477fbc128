// Recipe for random instances of EMBEDDING_LOOKUP.
#include "op_support/recipes/recipe.h"
#include "ops/embedding_lookup/signature.h"

namespace nn::ops::embedding_lookup {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"lookups", {k}, indexesOf({v})},
        {"values", stack(v)},
};

}  // namespace nn::ops::embedding_lookup

namespace nn::ops::recipes {
extern constexpr Recipes embedding_lookup{embedding_lookup::kRecipes, embedding_lookup::kForms};
}
