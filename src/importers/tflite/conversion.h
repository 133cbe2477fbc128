// The conversion of one operator: reads its part of the file, and adds to the graph.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/joined_axes.h"
#include "importers/tflite/file.h"
#include "importers/tflite/graph_tensors.h"
#include "importers/tflite/options.h"
#include "nnapi/import/imported_model.h"

namespace nn::tflite {

class Conversion;

// A row of operators.def.
struct Row {
    BuiltinOperator code{};
    std::string_view custom{};  // its name in files, of a custom operator
    int32_t version = 1;
    BuiltinOptions options{};
    std::optional<OperationType> operation{};  // of a row without a function
    std::string_view inputs{};
    std::string_view outputs{};
    std::string_view conditions{};
    size_t minInputs = 0, minOutputs = 0;  // of a row with a function
    void (*function)(Conversion&) = nullptr;
    std::string_view text{};
};

std::span<const Row> operatorRows();
const Row* rowOf(const FileOperatorKind& kind);
// True of operators whose results depend on elements at the same place, whatever the axes.
bool isElementwise(BuiltinOperator code);
std::string nameOf(const Row& row);  // "ADD", "CUSTOM TFLite_Detection_PostProcess"
// The row by which an operation is written; null if files have no such operator.
const Row* writtenRowOf(OperationType type);

// A graph that an operator calls.
struct CalledGraph {
    uint32_t referenced = 0;  // in Model::referenced
    Version since{};
};

// The parts of the whole import that a conversion uses.
class ConversionHost {
   public:
    virtual ~ConversionHost() = default;
    // Imports a graph that an operator calls; a sentence if that is not possible.
    virtual std::variant<CalledGraph, std::string> callGraph(int32_t graph) = 0;
    virtual Version target() const = 0;
    virtual bool isMainGraph() const = 0;
    // A tensor that keeps its value: the operand of the value before becomes an input, that of the
    // value after an output.
    virtual void addState(uint32_t tensor, uint32_t before, uint32_t after) = 0;
    virtual void addLoss(Loss loss) = 0;
};

// The index of an operand that could not be made. A refusal says why.
inline constexpr uint32_t kNoOperand = UINT32_MAX;

class Conversion {
   public:
    Conversion(ConversionHost& host, GraphTensors& tensors, const FlatOperator& op, const Row& row);

    // ---- the operator

    size_t inputCount() const { return mOperator.inputs.size(); }
    size_t outputCount() const { return mOperator.outputs.size(); }
    bool hasInput(size_t i) const {
        return i < mOperator.inputs.size() && mOperator.inputs[i] >= 0;
    }
    const FileTensor& input(size_t i) const { return mTensors[inputTensor(i)]; }
    const FileTensor& output(size_t i) const { return mTensors[outputTensor(i)]; }
    uint32_t inputTensor(size_t i) const { return static_cast<uint32_t>(mOperator.inputs[i]); }
    uint32_t outputTensor(size_t i) const { return static_cast<uint32_t>(mOperator.outputs[i]); }
    bool isForTarget(Version since) const { return isCompliantVersion(since, mHost.target()); }

    // Fields of the options. Empty after a refusal.
    std::optional<OptionValue> option(std::string_view field);
    int32_t number(std::string_view field) { return optionAs<int32_t>(field); }
    float real(std::string_view field) { return optionAs<float>(field); }
    bool flag(std::string_view field) { return optionAs<bool>(field); }
    std::vector<int32_t> list(std::string_view field) {
        return optionAs<std::vector<int32_t>>(field);
    }
    // The bytes of the options of a custom operator.
    std::span<const uint8_t> customOptions() const;
    // Why a composite operator is not replaced by its operators.
    const std::string& compositeRefusal() const { return mOperator.refusal; }

    // The elements of a constant of whole numbers; empty after a refusal.
    std::optional<std::vector<int32_t>> ints(size_t i);
    std::optional<int32_t> singleInt(size_t i);
    // The axis of a tensor of that rank; empty after a refusal.
    std::optional<uint32_t> axisOf(int64_t axis, size_t rank);
    // Data of a constant; empty, without a refusal, for another tensor.
    std::optional<std::span<const uint8_t>> data(size_t i);
    bool isConstant(size_t i) { return hasInput(i) && data(i).has_value(); }
    bool isFloat(size_t i) const;
    // True of a signed tensor whose bytes are others in the model, though they stand for the same.
    bool isMadeUnsigned(const FileTensor& tensor) {
        return tensor.type == TensorType::INT8 && builder().makesUnsigned();
    }
    // True if it reads or computes such a tensor.
    bool isMadeUnsigned();

    // True unless an input or output in [0, count) is missing, which is refused.
    bool hasInputs(size_t count);
    bool hasOutputs(size_t count);

    // True unless an option has another value than a condition of a row allows, which is refused.
    bool meets(std::string_view conditions);

    // ---- operands

    uint32_t operand(size_t i);  // of an input
    // Those of tensors with more axes than most operations have, in one axis.
    uint32_t packedOperand(size_t i);
    uint32_t packedResult(size_t i = 0);
    uint32_t operandOrNoValue(size_t i, OperandType type);
    uint32_t result(size_t i = 0);  // of an output
    uint32_t intTensor(size_t i, bool isFlat);
    uint32_t scalar(size_t i);  // the one element of a constant
    uint32_t weights(size_t i, size_t input = 0);
    uint32_t bias(size_t i, size_t input, size_t weights, uint32_t channels);
    uint32_t stateBefore(size_t i);
    uint32_t stateAfter(size_t i);
    uint32_t activation();
    // FLOAT32, or FLOAT16 where input i has it.
    uint32_t realScalar(float value, size_t i = 0);
    // A constant tensor of one element of the type of input i, FLOAT32 or FLOAT16.
    uint32_t realTensor(float value, size_t i = 0);
    uint32_t scalarOf(int32_t value) { return builder().scalar(value); }
    uint32_t scalarOf(uint32_t value) { return builder().scalar(value); }
    uint32_t scalarOf(bool value) { return builder().scalar(value); }
    // An intermediate value that is as that operand, but for the dimensions or the type.
    uint32_t like(uint32_t operand);
    uint32_t like(uint32_t operand, Dimensions dimensions);
    uint32_t floatLike(uint32_t operand);
    importing::GraphBuilder& builder() { return mTensors.builder(); }

    // True if the tensors of this input and output have known dimensions, and one of them has more
    // than most operations.
    bool hasManyAxes(size_t input, size_t output) const;
    // For an elementwise operator with such tensors: operand() and result() have joined axes, until
    // splitAxes() gives the output its own.
    void joinAxes();
    void splitAxes();
    // The elements of an operand in other dimensions.
    uint32_t reshaped(uint32_t from, const Dimensions& dimensions);
    void reshape(uint32_t from, uint32_t to);

    // Operands that the elements of the braces add have the order of these elements.
    void emit(Operation operation);
    // False, and refused, where constants get out of proportion to the file.
    bool mayMake(uint64_t bytes);
    // The operator makes a constant, for which mayMake() is true.
    void fold(size_t output, TensorType type, std::vector<uint8_t> data);
    // Gives an output the dimensions that TensorFlow Lite gives it, whatever the file has.
    void setDimensions(size_t output, Dimensions dimensions);
    // An output of INT64 becomes one of INT32, which is a loss.
    void narrow(size_t output);
    // The row of the operator, interpreted.
    void apply(const Row& row);

    // ---- outcome

    void refuse(std::string found, std::string allowed = {});
    void refuseInput(size_t i, std::string found, std::string allowed = {});
    void refuseOutput(size_t i, std::string found, std::string allowed = {});
    void lose(std::string before, std::string after, std::string why);
    bool isRefused() const { return !mRefusals.empty(); }
    ConversionHost& host() { return mHost; }
    Version calledSince() const { return mCalledSince; }
    uint32_t graphReference(std::string_view field);

    std::vector<ImportRefusal> takeRefusals() { return std::move(mRefusals); }

   private:
    template <class T>
    T optionAs(std::string_view field) {
        const auto value = option(field);
        const T* held = value ? std::get_if<T>(&*value) : nullptr;
        return held == nullptr ? T() : *held;
    }
    bool requireInput(size_t i);
    bool requireOutput(size_t i);
    uint32_t take(std::variant<uint32_t, ImportRefusal> made);

    ConversionHost& mHost;
    GraphTensors& mTensors;
    const FlatOperator& mOperator;
    const Row& mRow;
    std::map<size_t, uint32_t> mStates;  // operands of values before, by input
    std::vector<ImportRefusal> mRefusals;
    std::optional<importing::Broadcast> mJoined;
    uint32_t mJoinedResult = kNoOperand;
    Version mCalledSince{};
};

}  // namespace nn::tflite
