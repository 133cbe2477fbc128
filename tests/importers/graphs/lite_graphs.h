// lite_graphs.h -- Random files of TensorFlow Lite: graphs of the operators that operators.def
// lists.
//
//   testing::Source source(bytes);
//   const graphs::GraphFile graph = graphs::anyLiteGraph(source);
//   importTflite(graph.bytes);
//
// As for ONNX (onnx_graphs.h), a graph is put together of the files with one operator
// (operator_files.h), then rules are broken.
#pragma once

#include <cstdint>
#include <vector>

#include "importers/graphs/choices.h"
#include "importers/tflite_generated.h"

namespace nn::graphs {

GraphFile anyLiteGraph(testing::Source& source);

// Breaks one rule, or makes one thing large. The file may be any.
void breakRule(tflite::ModelT& file, Choices& choices);

// The options of a custom operator, with fields at and beyond their limits.
std::vector<uint8_t> anyCustomOptions(Choices& choices);

// Sets an option of an operator, of those that options.def lists, to any number; or changes those
// of a custom operator.
void varyOption(tflite::OperatorT& op, Choices& choices);

std::vector<uint8_t> bytesOf(const tflite::ModelT& file);

}  // namespace nn::graphs
