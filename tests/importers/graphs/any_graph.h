// any_graph.h -- A random graph by its number, in either format.
#pragma once

#include <random>
#include <set>
#include <string>
#include <vector>

#include "importers/graphs/import_trial.h"
#include "importers/graphs/lite_graphs.h"
#include "importers/graphs/onnx_graphs.h"

namespace nn::graphs {

struct AnyGraph {
    std::vector<uint8_t> bytes{};
    std::set<std::string> operators{};
};

// The choices of a number: 64 to 4,160 bytes.
inline std::vector<uint8_t> choicesOf(uint64_t number) {
    std::mt19937_64 engine(number);
    std::vector<uint8_t> choices(64 + engine() % 4096);
    for (uint8_t& choice : choices) choice = static_cast<uint8_t>(engine() >> 32);
    return choices;
}

inline AnyGraph anyGraph(FileFormat format, testing::Source& source,
                         const GraphOptions& options = {}) {
    if (format == FileFormat::TFLITE) {
        LiteGraphFile made = anyLiteGraph(source, options);
        return {std::move(made.bytes), std::move(made.operators)};
    }
    OnnxGraph made = anyOnnxGraph(source, options);
    return {{made.bytes.begin(), made.bytes.end()}, std::move(made.operators)};
}

}  // namespace nn::graphs
