// Recipe for random instances of ADD, MUL, DIV, SUB.
#include "op_support/recipes/recipe.h"
#include "ops/arithmetic/signature.h"

namespace nn::ops::arithmetic {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input*", broadcastable},
};

}  // namespace nn::ops::arithmetic

namespace nn::ops::recipes {
extern constexpr Recipes arithmetic{arithmetic::kRecipes, arithmetic::kForms};
}
