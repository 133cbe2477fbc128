// Recipe for random instances of QUANTIZED_LSTM.
#include "op_support/recipes/recipe.h"
#include "ops/quantized_lstm/signature.h"

namespace nn::ops::quantized_lstm {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        {"input", {n, x}},
        quantizedByPower(-15, -9, {"cellState*", {n, u}}),
        with(quantizedByPower(-15, -9, {"inputLayerNormWeights", {u}}), Part::LAYER_NORM,
             Part::INPUT_GATE),
        with(quantizedByPower(-15, -9, {"*LayerNormWeights", {u}}), Part::LAYER_NORM),
        {"*GateScale", between(0x1p-8f, 0x1p-3f)},
        {"hiddenStateZeroPoint", between(-8, 8)},
        {"hiddenStateScale", between(0x1p-8f, 0x1p-5f)},
};

}  // namespace nn::ops::quantized_lstm

namespace nn::ops::recipes {
extern constexpr Recipes quantized_lstm{quantized_lstm::kRecipes, quantized_lstm::kForms};
}
