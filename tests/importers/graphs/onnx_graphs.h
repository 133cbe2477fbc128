// onnx_graphs.h -- Random files of ONNX: graphs of the operators that operators.def lists.
//
//   testing::Source source(bytes);
//   const graphs::OnnxGraph graph = graphs::anyOnnxGraph(source, {.violations = 2});
//   importOnnx(graph.bytes);
//
// A graph is put together of the files with one operator (onnx_operator_files.h): with other sizes,
// constants instead of inputs and inputs instead of constants, results of one operator as input
// of the next, and nested in If, Loop and Scan. Most such graphs are legal. Then rules are broken.
#pragma once

#include <set>
#include <string>

#include "importers/graphs/choices.h"
#include "importers/onnx_file.pb.h"

namespace nn::graphs {

struct OnnxGraph {
    std::string bytes{};
    std::set<std::string> operators{};  // "Conv"
};

OnnxGraph anyOnnxGraph(testing::Source& source, const GraphOptions& options = {});

// Breaks one rule, or makes one thing large. The graph may be any.
void breakRule(nnapi::onnx_file::Model& file, Choices& choices);

// The types of all operators, inside of branches as well.
std::set<std::string> operatorsOf(const nnapi::onnx_file::Graph& graph);

// Fills a tensor with random elements as far as its type and its dimensions allow.
void fill(nnapi::onnx_file::Tensor& tensor, Choices& choices);

}  // namespace nn::graphs
