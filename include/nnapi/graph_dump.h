// nnapi/graph_dump.h -- Graphviz text of a model, with a node for each operand.
//
//   std::ofstream("model.dot") << nn::graphDump(model, "mobilenet");   // dot -Tsvg model.dot
//
// Operations are boxes in execution order, operands are ellipses with type and dimensions, inputs
// and outputs are colored, values of scalar constants are shown, referenced graphs are clusters.
// nnapi/drawing.h produces a compact drawing instead. Accepts any model, including illegal ones.
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/types.h"

namespace nn {

// A digraph with this name, for dot. Throws only std::bad_alloc.
std::string graphDump(const Model& model, std::string_view name = "model");

}  // namespace nn
