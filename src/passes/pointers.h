// Finds what a model or request refers to by pointer, and so must be moved before it goes to
// another process.
#pragma once

#include <vector>

#include "nnapi/types.h"

namespace nn {

// True where a constant of any subgraph lies behind a pointer.
bool hasPointers(const Model& model);

// True where any argument does.
bool hasPointers(const std::vector<Request::Argument>& arguments);

}  // namespace nn
