// any_graph.h -- A random graph by its number, in either format.
#pragma once

#include <random>
#include <vector>

#include "importers/graphs/import_trial.h"
#include "importers/graphs/lite_graphs.h"
#include "importers/graphs/onnx_graphs.h"

namespace nn::graphs {

// The choices of a number: 64 to 4,160 bytes.
inline std::vector<uint8_t> choicesOf(uint64_t number) {
    std::mt19937_64 engine(number);
    std::vector<uint8_t> choices(64 + engine() % 4096);
    for (uint8_t& choice : choices) choice = static_cast<uint8_t>(engine() >> 32);
    return choices;
}

inline GraphFile anyGraph(FileFormat format, testing::Source& source) {
    return format == FileFormat::TFLITE ? anyLiteGraph(source) : anyOnnxGraph(source);
}

}  // namespace nn::graphs
