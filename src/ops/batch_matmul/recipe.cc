// Recipe for random instances of BATCH_MATMUL.
#include "op_support/recipes/recipe.h"
#include "ops/batch_matmul/signature.h"

namespace nn::ops::batch_matmul {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"x", matrix(a, b)},
        {"y", matrix(b, c)},
        {"adjoint*", isTransposed},
};

}  // namespace nn::ops::batch_matmul

namespace nn::ops::recipes {
extern constexpr Recipes batch_matmul{batch_matmul::kRecipes, batch_matmul::kForms};
}
