// Prepares a graph without executing it: determines types and operations, infers shapes, and finds
// the reasons why it cannot be executed. nn::prepare plans from the result, validateAll reports the
// reasons as warnings, and a strict device reports them as errors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"
#include "validate/extensions.h"
#include "validate/validation_facts.h"

namespace nn {

// Why something cannot be prepared.
struct Refusal {
    std::string rule;
    std::string message;
    ErrorStatus code = ErrorStatus::GENERAL_FAILURE;
};

struct KnownOperand {
    // As declared, with unknown sizes filled in from operations. Complete if isKnown; then a 0 is a
    // size. A view into the model, or into the storage below if something was filled in.
    std::span<const uint32_t> dimensions{};
    std::vector<uint32_t> inferred{};
    bool isKnown = false;

    ElementType element{};  // of size 0 if it is not known
};

struct KnownOperation {
    const ops::OperationSpec* spec = nullptr;  // null for IF, WHILE and extensions
    const ops::Form* form = nullptr;
    const ExtensionOperation* extension = nullptr;

    // Nothing in an execution can change the shapes of the outputs or the requirements on the
    // parameters.
    bool isSettled = false;

    // True if the i-th of `count` inputs may have no value.
    bool mayOmit(size_t i, size_t count) const { return mayOmitAny() && mayOmitAt(i, count); }

    // True if such an input may exist.
    bool mayOmitAny() const {
        return extension != nullptr ? extension->takesOmittedInputs
                                    : form != nullptr && form->mayOmitInputs;
    }

    bool takesZeroSizedInputs() const {
        return extension == nullptr ? spec->allowsZeroSizedInputs : extension->takesZeroSizedInputs;
    }

   private:
    bool mayOmitAt(size_t i, size_t count) const;
};

// Receives the results of preparing a graph, and provides the data it needs.
class PreparationListener {
   public:
    enum class Part : uint8_t { OPERAND, OPERATION };

    virtual ~PreparationListener() = default;

    // Before a part. False: that is enough.
    virtual bool begins(Part, size_t /*index*/) { return true; }

    // The data of a constant, aligned for its elements; null if it is not needed, or does not
    // exist; `why` receives the reason.
    virtual ops::Bytes constant(size_t operand, ElementType element, Status& why) = 0;

    // The part cannot be prepared; all that depends on it remains unknown. Return false to stop.
    virtual bool refused(Part part, size_t index, Refusal why) = 0;
};

class GraphPreparation {
   public:
    // For a legal graph, or one that breaks only rules that a device waives. Only executions of the
    // main graph may omit inputs.
    //   found       the results of checking the graph
    //   extensions  null: extensions and OEM types and operations are unknown, and neither inferred
    //               nor rejected
    GraphPreparation(const Model::Subgraph& graph, const GraphFacts& found, bool isMain,
                     const Extensions* extensions, const Limits& limits);

    // Finds out all there is, in the order of execution. False if the listener had enough.
    bool run(PreparationListener& listener);

    std::vector<KnownOperand> operands{};
    std::vector<KnownOperation> operations{};
    std::vector<ops::Value> values{};  // of the operands; their dimensions are those above

   private:
    std::optional<Refusal> findOperation(size_t k);
    std::optional<Refusal> findType(size_t i);
    std::optional<Refusal> takeConstant(size_t i, PreparationListener& listener);
    std::optional<Refusal> infer(size_t k);
    std::optional<Refusal> learn(const ops::OpView& op, KnownOperation& known,
                                 const Operation& operation);

    void fillIn(const std::vector<uint32_t>& indexes, bool isExtension,
                ops::CallValues& list) const;
    bool mayGetLess(const Operation& operation, const KnownOperation& known) const;

    const Model::Subgraph& mGraph;
    const GraphFacts& mFound;
    bool mIsMain;
    const Extensions* mExtensions;
    const Limits& mLimits;

    // The last type, and its row.
    OperandType mType{};
    const OperandTypeInfo* mInfo = operandTypeInfo(mType);

    // Of the current operation; members, to reuse their memory.
    ops::CallValues mInputs{};
    ops::CallValues mOutputs{};
    absl::InlinedVector<ops::Shape, 2> mShapes{};
};

// The shapes of the outputs of an operation other than IF and WHILE, as far as its inputs determine
// them. False, after a report, if it must fail. `extensions` may be null for operations of none.
bool outputShapes(const KnownOperation& known, const Extensions* extensions, const Limits& limits,
                  const ops::OpView& op, std::span<ops::Shape> shapes);

// Keeps the first failure that an operation reports.
class OperationSink : public ops::Sink {
   public:
    void requireVersion(Version, std::string_view) override {}
    void fail(std::string_view rule, std::string message) override;
    bool failed() const { return !mRule.empty(); }
    std::string_view rule() const { return mRule; }
    // The code of an exceeded limit differs from that of an invalid graph.
    ErrorStatus code() const {
        return mRule == ruleOf(&Limits::rank) ? kLimitExceeded : ErrorStatus::GENERAL_FAILURE;
    }
    const std::string& message() const { return mMessage; }

   private:
    std::string mRule;
    std::string mMessage;
};

// True for operands from which shapes and parameters are inferred, possibly before execution: they
// must be the same in all executions. Extensions have their own rules.
bool isParameter(OperandType type);

// In a legal model, the length of a constant's location matches its dimensions. Validation checks
// that for all types but those of vendors.
inline bool hasVendorLength(OperandType type) {
    return isExtension(type) || type == OperandType::TENSOR_OEM_BYTE;
}
Status requireVendorLength(const Operand& constant, ElementType element);
inline Status requireLength(const Operand& constant, ElementType element) {
    if (!hasVendorLength(constant.type)) return {};
    return requireVendorLength(constant, element);
}

// The message for dimensions of an output, where 0 means unknown, that contradict the computed
// ones.
std::string shapeContradiction(const ops::OpView& op, size_t output,
                               std::span<const uint32_t> dimensions, const ops::Shape& computed);

// False if a shape and declared dimensions (0 and an empty vector declare nothing) contradict
// each other.
bool fitsDeclared(const ops::Shape& shape, std::span<const uint32_t> declared);

// Fills unknown sizes of a shape from declared dimensions. False if they contradict each other; the
// shape is unchanged then.
bool fill(ops::Shape& shape, std::span<const uint32_t> declared);

// True if the rank and all dimensions of a shape are known.
inline bool isFullyKnown(const ops::Shape& shape) {
    return shape && std::all_of(shape->begin(), shape->end(),
                                [](const ops::Dim& dim) { return dim.has_value(); });
}

inline bool hasZero(std::span<const uint32_t> dimensions) {
    return std::find(dimensions.begin(), dimensions.end(), 0u) != dimensions.end();
}

// Bytes of a value with known dimensions: without any it is one element, also for a tensor. Empty
// if the product does not fit.
inline std::optional<uint64_t> byteSize(ElementType type, std::span<const uint32_t> dimensions) {
    return checkedMul<uint64_t>(type.size, checkedProduct<uint64_t>(dimensions));
}

// True if a dimension of a value is unknown.
inline bool isUnspecified(ElementType type, std::span<const uint32_t> dimensions) {
    return type.isTensor && (dimensions.empty() || hasZero(dimensions));
}

}  // namespace nn
