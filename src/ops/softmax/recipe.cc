// Recipe for random instances of SOFTMAX.
#include "op_support/recipes/recipe.h"
#include "ops/softmax/signature.h"

namespace nn::ops::softmax {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", whole}),
};

}  // namespace nn::ops::softmax

namespace nn::ops::recipes {
extern constexpr Recipes softmax{softmax::kRecipes, softmax::kForms};
}
