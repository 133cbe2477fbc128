// Recipe for random instances of STRIDED_SLICE.
#include "op_support/recipes/recipe.h"
#include "ops/strided_slice/signature.h"

namespace nn::ops::strided_slice {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"begin", {wholeRank}, starts},  {"end", {wholeRank}, ends},
        {"strides", {wholeRank}, steps}, {"beginMask", between(0, 3)},
        {"endMask", between(0, 3)},      {"shrinkAxisMask", between(0, 1)},
};

}  // namespace nn::ops::strided_slice

namespace nn::ops::recipes {
extern constexpr Recipes strided_slice{strided_slice::kRecipes, strided_slice::kForms};
}
