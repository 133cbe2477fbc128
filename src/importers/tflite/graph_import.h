// Imports one graph of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "importers/tflite/composites.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/file_import.h"

namespace nn::tflite {

class GraphImport : public ConversionHost {
   public:
    GraphImport(FileImport& file, uint32_t number, FlatGraph graph);

    // Imports all operators. A failure is an exceeded limit.
    Status run();

    std::vector<ImportedOperator> takeOperators() { return std::move(mOperators); }
    Version since() const { return mSince; }
    size_t refused() const { return mRefused; }
    nn::Model::Subgraph takeGraph() { return std::move(mTensors.builder().graph()); }

    // The main graph, with what its division into parts needs.
    importing::IncompleteModel takeMain();

    std::variant<CalledGraph, std::string> callGraph(int32_t graph) override;
    Version target() const override { return mFile.mOptions.target; }
    bool isMainGraph() const override { return mNumber == 0; }
    void addState(uint32_t tensor, uint32_t before, uint32_t after) override;
    void addLoss(Loss loss) override;

   private:
    struct State {
        uint32_t before = 0;  // operands
        uint32_t after = 0;
    };

    void addInputs();
    void addOutputs();
    void tellMadeUnsigned(std::string_view kind, uint32_t tensor);
    std::vector<bool> unreadOperators() const;
    void importOperator(const FlatOperator& op, bool isUnread);
    void keepForMissing(uint32_t tensor);
    void convert(const FlatOperator& op, ImportedOperator& imported);
    bool fold(Conversion& conversion, BuiltinOperator code);
    void inferDimensions(const FlatOperator& op);
    void checkOperations(Conversion& conversion, ImportedOperator& imported);
    // Parts of operators: how many missing operators precede them on a path.
    uint32_t partOf(const FlatOperator& op) const;
    void passPart(const FlatOperator& op, uint32_t part);
    std::optional<uint32_t> copyOf(uint32_t tensor);

    FileImport& mFile;
    const uint32_t mNumber;
    const FlatGraph mGraph;
    GraphTensors mTensors;
    std::vector<ImportedOperator> mOperators;
    Version mSince{};
    size_t mRefused = 0;
    std::string mPlace;             // of the operator that is converted, for losses
    std::vector<State> mNewStates;  // of the operator that is converted
    std::vector<Loss> mNewLosses;
    std::vector<State> mStates;
    std::vector<uint32_t> mPartOfTensor;
    std::vector<uint32_t> mPartOfOperation;
    std::vector<bool> mIsReadByMissing;  // by tensor
};

}  // namespace nn::tflite
