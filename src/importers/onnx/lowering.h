// What rows of operators are lowered with: the operator's inputs and attributes, the operations and
// operands that they become, and the reasons why they cannot.
//
// Tensors keep the order of their axes: operations on images have an operand for channels first.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/untrusted_text.h"
#include "importers/common/model_builder.h"
#include "importers/onnx/budget.h"
#include "importers/onnx/graph.h"
#include "importers/onnx/shapes.h"
#include "nnapi/import/imported_model.h"
#include "nnapi/types.h"

namespace nn::onnx {

// A graph inside of a node that is one of the model, too.
struct CalledGraph {
    uint32_t referenced = 0;
    std::vector<Value> outputs{};  // their types and dimensions
};

// Imports such a graph with known inputs. Returns the reason why it is rejected.
using GraphCall = std::function<std::variant<CalledGraph, std::string>(
        Graph graph, std::string_view node, std::string_view attribute)>;

class Lowering {
   public:
    Lowering(Graph& graph, importing::GraphBuilder& builder, Version target, Losses& losses,
             Budget& budget, GraphCall call)
        : mGraph(graph),
          mBuilder(builder),
          mTarget(target),
          mLosses(losses),
          mBudget(budget),
          mCall(std::move(call)) {}

    // Lowers one node. A rejected one leaves nothing in the graph.
    void lower(uint32_t node);
    // Refuses it for reasons that were found before.
    void refuseNode(uint32_t node, std::vector<ImportRefusal> refusals);
    std::vector<ImportRefusal> takeRefusals() { return std::move(mRefusals); }

    // Operands for inputs and outputs of the graph.
    void addInputs();
    // Refuses what no operand can be.
    void addOutput(ValueId id);

    // ---- the operator

    int64_t version() const { return mGraph.version; }
    // True if the target version of the model has the features of a version.
    bool targets(HalVersion version) const {
        return isCompliantVersion(toVersion(version), mTarget);
    }
    const NodeMessage& message() const { return *mNode->message; }
    const Graph& graph() const { return mGraph; }
    const Node& node() const { return *mNode; }
    // The graph that an attribute holds, as one of the model; empty after a refusal.
    std::optional<CalledGraph> call(Graph graph, std::string_view attribute);

    int64_t integer(std::string_view name, int64_t fallback);
    float real(std::string_view name, float fallback);
    UntrustedText text(std::string_view name, std::string_view fallback);
    std::vector<int64_t> integers(std::string_view name);
    std::vector<float> realList(std::string_view name);
    bool hasAttribute(std::string_view name) const {
        return attributeOf(message(), name) != nullptr;
    }
    // Refuses an attribute with a value that cannot be imported.
    void require(std::string_view name, int64_t value, int64_t allowed);

    // ---- inputs

    size_t inputCount() const { return mInputs.size(); }
    bool has(size_t input) const { return input < mInputs.size() && mInputs[input] != kNoValue; }
    ValueId id(size_t input) const { return input < mInputs.size() ? mInputs[input] : kNoValue; }
    // An unknown value for an input that is omitted.
    const Value& in(size_t input) const { return has(input) ? mGraph[mInputs[input]] : kOmitted; }
    const Dimensions& dims(size_t input) const { return in(input).dimensions; }
    size_t rank(size_t input) const { return dims(input).size(); }
    const Value& value(ValueId id) const { return mGraph[id]; }
    bool isFloat(size_t input) const;

    // The elements of an input that must be constant; empty after a refusal.
    std::optional<std::vector<int64_t>> constantIntegers(size_t input);
    std::optional<std::vector<float>> constantReals(size_t input);
    bool requireConstant(size_t input);
    // An input that is constant, or the real value of a constant.
    std::optional<Constant> constantOf(size_t input);
    bool requireRank(size_t input, size_t least, size_t most);

    // The input is read with that scale and zero point; false after a refusal, where it has others.
    bool setInputQuantization(size_t input, const Quantization& quantization);
    // The axis of the scales of an input that has several.
    void setChannelAxis(size_t input, uint32_t axis);
    // Other inputs, and the quantization of the output, instead of those of the node; the real
    // values of both where no operation computes the quantized ones.
    void rewrite(std::vector<ValueId> inputs, ElementType type, Quantization output);
    // False after a refusal of a constant that the importer would make too large.
    bool fitsConstants(const Dimensions& dimensions);
    // The same of steps that each become operations.
    bool fitsSteps(uint32_t steps);
    // The same of bytes of constants that the importer adds to the model. The import fails then.
    bool fitsModel(uint64_t elements, size_t bytesOfEach);
    // The same of a graph that is copied; false after a refusal.
    bool fitsCopies(const Graph& graph);
    size_t maxRank() const { return mBudget.limits().rank; }

    // The operand of an input.
    uint32_t operand(size_t input) { return operandOf(id(input)); }
    uint32_t operandOf(ValueId id);
    // The same elements, but of a value with more than kMaxAxes maybe in other dimensions. Such
    // values are reshaped and transposed as others are, and never computed with.
    uint32_t packedOperand(size_t input) { return packedOperandOf(id(input)); }
    // An operand for a constant that the importer made.
    uint32_t constantOperand(const Constant& constant,
                             const std::optional<Quantization>& quantization = {},
                             std::string name = {});
    // A constant of the real type of another operand, of rank 1 if there are no dimensions.
    uint32_t reals(uint32_t like, std::span<const float> values, Dimensions dimensions = {});
    uint32_t reals(uint32_t like, std::initializer_list<float> values) {
        return reals(like, std::span(values.begin(), values.size()));
    }
    // A parameter: FLOAT16 for a TENSOR_FLOAT16, else FLOAT32.
    uint32_t realScalar(uint32_t like, float value);

    // ---- refusals

    void refuse(std::string_view tensor, std::string found, std::string allowed = {});
    void refuse(size_t input, std::string found, std::string allowed = {}) {
        refuse(has(input) ? in(input).name : "", std::move(found), std::move(allowed));
    }
    // The same of the dimensions or the element type that an input has.
    void refuseDimensions(size_t input, std::string allowed) {
        refuse(input, fmt::format("has the dimensions {}", shapeText(dims(input))),
               std::move(allowed));
    }
    void refuseType(size_t input, std::string allowed) {
        refuse(input, "is of " + toString(in(input).type), std::move(allowed));
    }
    bool ok() const { return mRefusals.empty(); }
    void lose(std::string_view tensor, std::string before, std::string after, std::string why);

    // ---- outputs

    size_t outputCount() const { return mOutputs.size(); }
    bool hasOutput(size_t output) const {
        return output < mOutputs.size() && mOutputs[output] != kNoValue;
    }
    UntrustedView outputName(size_t output) const {
        return hasOutput(output) ? mGraph[mOutputs[output]].name : UntrustedView();
    }

    // The operand of an output of that type.
    uint32_t define(size_t output, ElementType type, Dimensions dimensions,
                    const std::optional<Quantization>& quantization = {});
    // The same with the type of an input and its quantization, or that of the quantized output.
    uint32_t defineLike(size_t output, size_t input, Dimensions dimensions);
    // The output is another name of a value.
    void alias(size_t output, ValueId id);
    void defineConstant(size_t output, Constant constant);
    // The output is an operand that is there, like an input.
    void adopt(size_t output, size_t input, uint32_t operand, Dimensions dimensions);
    // The same for an operand that may have other dimensions; it is reshaped where these matter.
    void adoptPacked(size_t output, size_t input, uint32_t operand, Dimensions dimensions);
    // The output is the real form of a quantized value.
    void dequantizeInto(size_t output, ValueId id);
    // Of an output that is another name of a value.
    void setDimensions(size_t output, Dimensions dimensions);
    void retype(size_t output, ElementType type);

    // The activation that follows and that the operation can do; its node is folded into this one.
    int32_t fuseActivation();

    // ---- operations

    importing::GraphBuilder& builder() { return mBuilder; }
    // An intermediate value with the type and the quantization of an operand.
    uint32_t temporary(uint32_t like, Dimensions dimensions);
    // Operands that the elements of the braces add have the order of these elements.
    void emit(Operation operation) { mBuilder.operation(std::move(operation)); }
    // An operation with one output, like an operand, of these dimensions.
    uint32_t apply(OperationType type, std::vector<uint32_t> inputs, uint32_t like,
                   Dimensions dimensions);
    // The same elements in other dimensions.
    uint32_t reshaped(uint32_t operand, const Dimensions& dimensions);
    void reshape(uint32_t operand, const Dimensions& dimensions, uint32_t to);
    uint32_t transposed(uint32_t operand, std::span<const uint32_t> axes);
    // Valid until the next operand is added.
    const Dimensions& operandDims(uint32_t operand) const {
        return mBuilder.operand(operand).dimensions;
    }

   private:
    void begin(uint32_t node);
    void finish();
    void undo();
    void lowerForm();
    bool isLegal() const;
    void dropOmittedInputs();
    ValueId realOf(ValueId quantized);
    void quantizeOutput();
    bool checkForm();
    bool spendOnForm();
    const Constant* readableConstant(size_t input);
    void requireShape(std::string_view name, const Dimensions& dimensions);
    bool isOwn() const { return mNode->row->domain.empty(); }
    bool followsInput(uint32_t node, ValueId id) const;
    bool allowsQuantization(const Quantization& output, ElementType type) const;
    uint32_t dequantize(ValueId source, std::string_view name);
    bool requireKnownInputs();
    bool quantizeForm();
    bool fold();
    uint32_t onlyUse(ValueId id) const;
    std::optional<int32_t> activationOf(const Node& node) const;
    std::optional<Quantization> quantizedBy(const Node& node) const;
    uint32_t packedOperandOf(ValueId id);
    uint32_t materialize(ValueId id);
    uint32_t outputOperand(ValueId id);
    void tellMadeUnsigned(std::string_view kind, ValueId id);
    std::optional<OperandType> operandType(const Value& value);

    static const Value kOmitted;

    Graph& mGraph;
    importing::GraphBuilder& mBuilder;
    Version mTarget;
    Losses& mLosses;

    Budget& mBudget;
    GraphCall mCall;

    uint32_t mIndex = 0;
    const Node* mNode = nullptr;
    std::vector<ValueId> mInputs, mOutputs;
    std::optional<Quantization> mOutputQuantization;
    bool mComputesReals = false;  // of a node that has a quantized form
    ValueId mRealOutput = kNoValue;
    ElementType mRealOutputType{};
    Quantization mRealOutputQuantization{};
    int32_t mActivation = 0;        // that follows
    std::vector<uint32_t> mFolded;  // nodes, into this one
    std::vector<ValueId> mTouched;  // have got an operand
    std::vector<ImportRefusal> mRefusals;
    size_t mLossesBefore = 0;
};

}  // namespace nn::onnx
