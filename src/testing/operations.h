// Operations drawn from the tables of signatures and recipes.
#pragma once

#include <span>
#include <vector>

#include "testing/draft.h"

namespace nn::testing {

// Those that the draft may have, but for IF and WHILE.
std::vector<const ops::OperationSpec*> operationsFor(const Draft& draft);

// Adds one of these, or now and then one of an extension. False where it does not turn out legal:
// what was added is to be taken back then.
bool addOperation(Draft& draft, std::span<const ops::OperationSpec* const> specs);

}  // namespace nn::testing
