// Recipe for random instances of TILE.
#include "op_support/recipes/recipe.h"
#include "ops/tile/signature.h"

namespace nn::ops::tile {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"multiples", {wholeRank}, between(1, 3)},
};

}  // namespace nn::ops::tile

namespace nn::ops::recipes {
extern constexpr Recipes tile{tile::kRecipes, tile::kForms};
}
