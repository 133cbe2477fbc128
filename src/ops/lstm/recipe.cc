// Recipe for random instances of LSTM, BIDIRECTIONAL_SEQUENCE_LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM.
#include "op_support/recipes/recipe.h"
#include "ops/lstm/signature.h"

namespace nn::ops::lstm {

using namespace sizes;

constexpr Recipe kRecipes[] = {
        only(OperationType::LSTM, {"input", {n, x}}),
        {"input", sequence(n, t, x)},
        {"activation", oneOf({0, 1, 3, 4, 6})},
};

}  // namespace nn::ops::lstm

namespace nn::ops::recipes {
extern constexpr Recipes lstm{lstm::kRecipes, lstm::kLstmForms, lstm::kUnidirectionalForms,
                              lstm::kBidirectionalForms};
}
