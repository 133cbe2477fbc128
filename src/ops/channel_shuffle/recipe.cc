// Recipe for random instances of CHANNEL_SHUFFLE.
#include "op_support/recipes/recipe.h"
#include "ops/channel_shuffle/signature.h"

namespace nn::ops::channel_shuffle {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"numGroups", between(1, 4)},
};

}  // namespace nn::ops::channel_shuffle

namespace nn::ops::recipes {
extern constexpr Recipes channel_shuffle{channel_shuffle::kRecipes, channel_shuffle::kForms};
}
