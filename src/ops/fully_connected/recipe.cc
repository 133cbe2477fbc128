// Recipe for random instances of FULLY_CONNECTED.
#include "op_support/recipes/recipe.h"
#include "ops/fully_connected/signature.h"

namespace nn::ops::fully_connected {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        orEmpty({"input", either({n, c}, {a, b, c})}),
        {"weights", {u, c}},
        {"bias", {u}},
};

}  // namespace nn::ops::fully_connected

namespace nn::ops::recipes {
extern constexpr Recipes fully_connected{fully_connected::kRecipes, fully_connected::kForms};
}
