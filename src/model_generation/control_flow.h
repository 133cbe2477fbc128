// Generates IF and WHILE with their subgraphs.
#pragma once

#include "model_generation/draft.h"

namespace nn::testing {

// Occasionally adds an IF or a WHILE if the draft allows them; always if they were requested.
void addControlFlow(Draft& draft);

}  // namespace nn::testing
