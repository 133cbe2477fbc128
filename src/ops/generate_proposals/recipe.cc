// Recipe for random instances of GENERATE_PROPOSALS.
#include "op_support/recipes/recipe.h"
#include "ops/generate_proposals/signature.h"

namespace nn::ops::generate_proposals {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"scores", image(n, h, w, a)},    {"deltas", image(n, h, w, 4 * a)},
        {"anchors", {a, 4}, someBoxes},   {"imageInfo", {n, 2}, between(4, 8)},
        {"heightStride", between(1, 16)}, {"widthStride", between(1, 16)},
        {"preNmsTopN", between(-1, 6)},   {"postNmsTopN", between(-1, 6)},
        {"minSize", between(0, 1)},
};

}  // namespace nn::ops::generate_proposals

namespace nn::ops::recipes {
extern constexpr Recipes generate_proposals{generate_proposals::kRecipes,
                                            generate_proposals::kForms};
}
