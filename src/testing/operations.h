// Draws operations from the tables of signatures and recipes.
#pragma once

#include <span>
#include <vector>

#include "testing/draft.h"

namespace nn::testing {

// The operations that the draft may have, except IF and WHILE.
std::vector<const ops::OperationSpec*> operationsFor(const Draft& draft);

// Adds one of these operations, or now and then one of an extension. False where the result is not
// legal; the caller then takes it back.
bool addOperation(Draft& draft, std::span<const ops::OperationSpec* const> specs);

}  // namespace nn::testing
