// Recipe for random instances of RNN, BIDIRECTIONAL_SEQUENCE_RNN, UNIDIRECTIONAL_SEQUENCE_RNN.
#include "op_support/recipes/recipe.h"
#include "ops/rnn/signature.h"

namespace nn::ops::rnn {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        only(OperationType::RNN, {"input", {n, x}}),
        {"input", sequence(n, t, x)},
        {"weights", {u, x}},
        {"recurrentWeights", {u, u}},
        {"bias", {u}},
        {"hiddenStateIn", {n, u}},
        with({"auxiliaryInput", sequence(n, t, x)}, Part::AUXILIARY),
        with({"auxiliaryWeights", {u, x}}, Part::AUXILIARY, Part::CROSS_AUXILIARY),
};

}  // namespace nn::ops::rnn

namespace nn::ops::recipes {
extern constexpr Recipes rnn{rnn::kRecipes, rnn::kStepForms, rnn::kSequenceForms,
                             rnn::kBidirectionalForms};
}
