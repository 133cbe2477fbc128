// Generates IF and WHILE with graphs of their own.
#pragma once

#include "testing/draft.h"

namespace nn::testing {

// Adds an IF or a WHILE now and then where the draft may have them; always where they are among the
// requested operations.
void addControlFlow(Draft& draft);

}  // namespace nn::testing
