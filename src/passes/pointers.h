// Finds the data that a model or request refers to by pointer, which must be moved before it goes
// to another process.
#pragma once

#include <vector>

#include "nnapi/types.h"

namespace nn {

// True if a constant of any subgraph is stored behind a pointer.
bool hasPointers(const Model& model);

// True if any argument does.
bool hasPointers(const std::vector<Request::Argument>& arguments);

}  // namespace nn
