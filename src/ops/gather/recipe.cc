// Recipe for random instances of GATHER.
#include "op_support/recipes/recipe.h"
#include "ops/gather/signature.h"

namespace nn::ops::gather {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"indices", either({k}, {k, a}), indexesOf(whole)},
};

}  // namespace nn::ops::gather

namespace nn::ops::recipes {
extern constexpr Recipes gather{gather::kRecipes, gather::kForms};
}
