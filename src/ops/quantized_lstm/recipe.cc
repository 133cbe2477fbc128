// How to draw QUANTIZED_LSTM.
#include "opkit/recipes/recipe.h"
#include "ops/quantized_lstm/signature.h"

namespace nn::ops::quantized_lstm {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", {n, x}},
        quantized(0x1p-11f, 0, {"cellState*", {n, u}}),
        {"*GateScale", between(0x1p-8f, 0x1p-3f)},
        {"hiddenStateZeroPoint", between(-8, 8)},
        {"hiddenStateScale", between(0x1p-8f, 0x1p-5f)},
};

}  // namespace nn::ops::quantized_lstm

namespace nn::ops::recipes {
extern constexpr Recipes quantized_lstm{quantized_lstm::kRecipes, quantized_lstm::kForms};
}
