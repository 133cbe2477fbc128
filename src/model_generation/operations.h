// Draws operations from the tables of signatures and recipes.
#pragma once

#include <span>
#include <vector>

#include "model_generation/draft.h"

namespace nn::testing {

// The operations allowed in the draft, except IF and WHILE.
std::vector<const ops::OperationSpec*> operationsFor(const Draft& draft);

// How the values of an operation's operand are spread where models are varied.
Spread spreadOf(const Model::Subgraph& graph, const Operation& operation, uint32_t operand);

// Adds one of these operations, or occasionally one of an extension. False if the result is
// illegal; the caller then reverts it.
bool addOperation(Draft& draft, std::span<const ops::OperationSpec* const> specs);

}  // namespace nn::testing
