// IF and WHILE, with graphs of their own.
#pragma once

#include "testing/draft.h"

namespace nn::testing {

// Where the draft may have them, now and then; always where it is asked for them.
void addControlFlow(Draft& draft);

}  // namespace nn::testing
