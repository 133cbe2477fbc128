// Recipe for random instances of QUANTIZED_16BIT_LSTM.
#include "op_support/recipes/recipe.h"
#include "ops/quantized_16bit_lstm/signature.h"

namespace nn::ops::quantized_16bit_lstm {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        quantized(1.0f / 128, 128, {"input", {n, x}}),
        quantized(0.01f, 100, {"inputTo*Weights", {u, x}}),
        quantized(0.01f, 100, {"recurrentTo*Weights", {u, u}}),
        {"inputGateBias", {u}},
        quantized(0x1p-11f, 0, {"cellState*", {n, u}}),
        quantized(1.0f / 128, 128, {"outputIn", {n, u}}),
        quantized(1.0f / 128, 128, {"output", {n, u}}),
};

}  // namespace nn::ops::quantized_16bit_lstm

namespace nn::ops::recipes {
extern constexpr Recipes quantized_16bit_lstm{quantized_16bit_lstm::kRecipes,
                                              quantized_16bit_lstm::kForms};
}
