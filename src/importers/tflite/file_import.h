// Imports a checked file: graph by graph, operator by operator.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "importers/common/parts.h"
#include "importers/onnx/budget.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/file.h"
#include "importers/tflite/graph_tensors.h"
#include "nnapi/import/imported_model.h"

namespace nn::tflite {

// Refusals of operators of the main graph, by their index, that only the whole model shows.
using LateRefusals = std::map<uint32_t, std::vector<ImportRefusal>>;

class FileImport {
   public:
    // `refused` are those of an import before, and get what this one finds.
    FileImport(const File& file, SharedMemory pool, const ImportOptions& options,
               LateRefusals& refused);

    // The parts are those of a partial import, whatever the options.
    Result<Import> run();

   private:
    friend class GraphImport;

    struct Graph {
        enum class State : uint8_t { UNSEEN, ACTIVE, DONE };
        State state = State::UNSEEN;
        uint32_t referenced = 0;
        Version since{};
        size_t refused = 0;
        std::vector<ImportedOperator> operators{};
    };

    // Imports a graph once.
    std::variant<CalledGraph, std::string> callGraph(int32_t graph);
    Result<importing::IncompleteModel> importMain();
    Result<Import> finish(importing::IncompleteModel whole);

    const File& mFile;
    const ImportOptions& mOptions;
    LateRefusals& mRefused;
    Constants mConstants;
    std::vector<Graph> mGraphs;
    uint32_t mDepth = 0;   // of calls
    onnx::Budget mBudget;  // of the arithmetic of shapes, and of copies of graphs
    Losses mLosses;
    Status mFailure;  // the first limit that a called graph exceeded
};

}  // namespace nn::tflite
