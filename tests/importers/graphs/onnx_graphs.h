// onnx_graphs.h -- Random files of ONNX: graphs of the operators that operators.def lists.
//
//   testing::Source source(bytes);
//   const graphs::GraphFile graph = graphs::anyOnnxGraph(source);
//   importOnnx(graph.bytes);
//
// A graph is put together of the files with one operator (onnx_operator_files.h): with other sizes,
// constants instead of inputs and inputs instead of constants, results of one operator as input
// of the next, and nested in If, Loop and Scan. Most such graphs are legal. Then rules are broken:
// any field of any message changes (fuzz/message_mutator.h).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "importers/graphs/choices.h"
#include "importers/onnx_file.pb.h"

namespace nn::graphs {

GraphFile anyOnnxGraph(testing::Source& source);

// The name of an operator's type, as ImportedOperator::type.
std::string operatorName(std::string_view domain, std::string_view type);

// The names of all operators, inside of branches as well.
std::set<std::string> operatorsOf(const nnapi::onnx_file::Graph& graph);

}  // namespace nn::graphs
