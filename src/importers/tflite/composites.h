// Composite operators: STABLEHLO_COMPOSITE is another name of the operators of a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "importers/onnx/budget.h"
#include "importers/tflite/file.h"
#include "nnapi/result.h"

namespace nn::tflite {

// An operator of a flat graph.
struct FlatOperator {
    const Operator* table = nullptr;
    uint32_t graph = 0;  // in the file
    uint32_t index = 0;  // in this graph
    // Tensors of the flat graph; -1 where there is none.
    std::vector<int32_t> inputs{};
    std::vector<int32_t> outputs{};
    bool isReplaced = false;  // by the operators that follow
    std::string refusal{};    // why a composite operator cannot be replaced
};

// A graph of a file. Behind each composite operator that is replaced are those of its graph.
struct FlatGraph {
    UntrustedView name{};
    std::vector<FileTensor> tensors{};  // first those of the graph
    std::vector<uint32_t> inputs{};
    std::vector<uint32_t> outputs{};
    std::vector<FlatOperator> operators{};
};

// RESOURCE_EXHAUSTED_PERSISTENT beyond the budget for copies of graphs, and beyond the limits of
// operands and operations.
Result<FlatGraph> flatGraphOf(const File& file, uint32_t graph, onnx::Budget& budget);

// Why an operator of a file with that many graphs cannot call the graph; empty if it can.
std::string callRefusal(int32_t graph, size_t graphs);
std::string recursionRefusal(int32_t graph);
std::string nestingRefusal(size_t depth);

}  // namespace nn::tflite
