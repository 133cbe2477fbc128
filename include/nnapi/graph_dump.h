// nnapi/graph_dump.h -- a model as a drawing of all its operands.
//
//   std::ofstream("model.dot") << nn::graphDump(model, "mobilenet");   // dot -Tsvg model.dot
//
// Graphviz text: operations as boxes in execution order, operands as ellipses with type and
// dimensions, inputs and outputs coloured, values of scalar constants shown, referenced graphs as
// clusters. nnapi/drawing.h makes drawings for people to read. Takes any model, also one that is
// not legal. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/types.h"

namespace nn {

std::string graphDump(const Model& model, std::string_view name = "model");

}  // namespace nn
