// Writes a legal model as a file of TensorFlow Lite.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "importers/common/constant_reader.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/row_tokens.h"
#include "nnapi/import/tflite.h"

namespace nn::tflite {

// What all graphs of the file share.
class FileWriter {
   public:
    FileWriter(const nn::Model& model, importing::ConstantReader constants, Losses* losses,
               const ExportNames& names);

    Result<std::vector<uint8_t>> write();

    const importing::ConstantReader& constants() const { return mConstants; }
    // The index of a kind of operators.
    uint32_t kindOf(BuiltinOperator code, int32_t version);
    // The index of a buffer with these bytes.
    uint32_t bufferOf(std::span<const uint8_t> bytes);
    void refuse(std::string reason) { mRefusals.push_back(std::move(reason)); }
    void lose(Loss loss);

   private:
    const nn::Model& mModel;
    importing::ConstantReader mConstants;
    Losses* mLosses;
    const ExportNames& mNames;
    ModelT mFile;
    std::map<std::pair<BuiltinOperator, int32_t>, uint32_t> mKinds;
    std::vector<std::string> mRefusals;
    uint64_t mBytes = 0;
};

// The number of an input that an operator does not have.
inline constexpr int32_t kMissingTensor = -1;

// Empty if no tensor of a file is of this type.
std::optional<TensorType> tensorTypeOf(OperandType type);

class GraphWriter {
   public:
    //   path   of the graph in messages, "main"
    //   names  of its operands; may be too few
    //   isLoopBody  that of a WHILE
    GraphWriter(FileWriter& file, const nn::Model::Subgraph& graph, std::string path,
                std::span<const std::string> names, bool isLoopBody = false);

    std::unique_ptr<SubGraphT> write();

   private:
    struct Written {  // an operator
        std::vector<int32_t> inputs;
        std::vector<int32_t> outputs;
        BuiltinOptionsUnion options;
        std::map<uint32_t, std::vector<int32_t>>
                lists;  // inputs whose elements are single operands
    };

    void writeOperation(const Operation& operation);
    void writeCall(const Operation& operation);
    void writeRow(const Operation& operation, const Row& row);
    void writeInputs(const Operation& operation, const Row& row, std::vector<Token> tokens);
    void writeOutputs(const Operation& operation, const Row& row);
    void writeInput(const Row& row, const Token& token, uint32_t operand);
    void writeOption(const Row& row, const Token& token, uint32_t operand);
    void writeLiteral(const Token& token, uint32_t operand);
    void writeScalar(const Token& token, uint32_t operand);
    void writeSpecial(const Operation& operation, const Row& row);
    void writeState(const Operation& operation, const Row& row);
    void writeEnds();
    // Outputs of a WHILE for the values that the operation does not give.
    void passAll(const Operation& operation);

    // What TensorFlow Lite computes otherwise, or not at all: graph_writer_forms.cc.
    void finish(BuiltinOperator code);
    bool hasType(const std::vector<int32_t>& tensors, TensorType type) const;
    bool hasSeveralScales(const OperatorT& op) const;
    void checkTypes(BuiltinOperator code, const OperatorT& op);
    void emit(BuiltinOperator code, std::unique_ptr<OperatorT> op);
    void emitUnary(BuiltinOperator code, int32_t from, int32_t to);
    int32_t tensorLike(int32_t tensor);
    int32_t real(int32_t tensor);
    int32_t scalarLike(int32_t tensor, int32_t value);
    void compareTruthValues(BuiltinOperator code, OperatorT& op);
    void saturate(OperatorT& cast);
    void computeReals(BuiltinOperator code, std::unique_ptr<OperatorT> op);
    void activateAfterwards(std::unique_ptr<OperatorT> op, int32_t activation);

    // The tokens of the form that the operation has; empty after a refusal.
    std::vector<Token> formOf(const Operation& operation, const Row& row);
    // Explicit padding as SAME or VALID: the operation with implicit padding; empty after a
    // refusal.
    std::optional<Operation> withImplicitPadding(const Operation& operation);

    int32_t tensorOf(uint32_t operand);
    int32_t constantTensor(TensorT tensor, std::span<const uint8_t> bytes);
    int32_t intTensor(const std::vector<int32_t>& values);
    bool describe(uint32_t index, TensorT& tensor);
    std::optional<int32_t> intOf(uint32_t operand) const;
    std::optional<float> floatOf(uint32_t operand) const;
    std::optional<std::vector<int32_t>> intsOf(uint32_t operand) const;
    void put(std::vector<int32_t>& list, size_t index, int32_t tensor);
    void refuse(std::string reason);
    static size_t placeOfState(std::span<const Token> tokens, uint32_t state, size_t count);
    const TensorT& tensor(int32_t index) const {
        return *mWritten->tensors[static_cast<size_t>(index)];
    }
    // Of the operation that is written.
    void lose(std::string before, std::string after, std::string why);

    FileWriter& mFile;
    const nn::Model::Subgraph& mGraph;
    std::string mPath;
    std::span<const std::string> mNames;
    std::unique_ptr<SubGraphT> mWritten = std::make_unique<SubGraphT>();
    std::vector<std::optional<int32_t>> mTensors;  // by operand
    std::vector<uint32_t> mReads;                  // by operand
    // Operands: inputs of the model that become variables, and outputs that are their new values.
    std::set<uint32_t> mStates, mNewStates;
    std::string mPlace;  // of the operation
    Written mOperator;
    bool mIsLoopBody;
};

}  // namespace nn::tflite
