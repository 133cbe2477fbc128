// Recipe for random instances of LOCAL_RESPONSE_NORMALIZATION.
#include "op_support/recipes/recipe.h"
#include "ops/local_response_normalization/signature.h"

namespace nn::ops::local_response_normalization {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"radius", between(0, 2)},
        {"bias", between(1, 2)},
        {"alpha", between(0.5, 1)},
};

}  // namespace nn::ops::local_response_normalization

namespace nn::ops::recipes {
extern constexpr Recipes local_response_normalization{local_response_normalization::kRecipes,
                                                      local_response_normalization::kForms};
}
