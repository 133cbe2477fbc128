// Imports a checked file: graph by graph, operator by operator.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "importers/common/parts.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/file.h"
#include "importers/tflite/graph_tensors.h"
#include "nnapi/import/imported_model.h"

namespace nn::tflite {

class FileImport {
   public:
    FileImport(const File& file, SharedMemory pool, const ImportOptions& options);

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
    // Takes what validation of the whole model finds as refusals of the operators.
    Status checkWhole(nn::Model& model);
    void inferDimensions(nn::Model& model) const;

    const File& mFile;
    const ImportOptions& mOptions;
    Constants mConstants;
    std::vector<Graph> mGraphs;
    uint32_t mDepth = 0;  // of calls
    Losses mLosses;
    Status mFailure;  // the first limit that a called graph exceeded
};

}  // namespace nn::tflite
