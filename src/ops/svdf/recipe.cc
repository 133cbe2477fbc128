// Recipe for random instances of SVDF.
#include "op_support/recipes/recipe.h"
#include "ops/svdf/signature.h"

namespace nn::ops::svdf {

using namespace sizes;

constexpr Extent kFilters = k * u;
constexpr Extent kMemory = kFilters * m;

constexpr Recipe kRecipes[] = {
        {"input", {n, x}}, {"featureWeights", {kFilters, x}}, {"timeWeights", {kFilters, m}},
        {"bias", {u}},     {"stateIn", {n, kMemory}},         {"rank", sizesOf({k})},
};

}  // namespace nn::ops::svdf

namespace nn::ops::recipes {
extern constexpr Recipes svdf{svdf::kRecipes, svdf::kForms};
}
