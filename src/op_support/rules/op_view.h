// The view of one operation for rules, shape inference and kernels: its operands as values, and a
// sink for reports. It hides models, subgraphs, requests and versions of the interface.
#pragma once

#include <absl/container/inlined_vector.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/plurals.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/bytes.h"
#include "op_support/rules/signature.h"

namespace nn::ops {

// A dimension; empty while it is unknown.
using Dim = std::optional<uint32_t>;

// Dimensions of a tensor. Most have no more than this, so that they allocate nothing.
inline constexpr size_t kUsualRank = 5;
using Dims = absl::InlinedVector<Dim, kUsualRank>;

// Empty while the rank is unknown. A scalar has rank 0.
using Shape = std::optional<Dims>;

// One operand of an operation. While a model is validated or prepared, dimensions may be unknown
// and only constants have data; while it is executed all dimensions are known and all inputs have
// data.
struct Value {
    OperandType type = FLOAT32;
    std::span<const uint32_t> dimensions{};
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    const Operand::ExtraParams* extraParams = nullptr;
    Bytes data{};                // null while unknown; aligned for the element type
    MutableBytes mutableData{};  // outputs during execution
    uint32_t operand = 0;        // index in the subgraph
    bool omitted = false;        // lifetime NO_VALUE
    bool zeroIsSize = false;     // a dimension of 0 is a size, not unknown

    // Nothing while unknown.
    std::optional<size_t> rank() const {
        if (!zeroIsSize && dimensions.empty() && !isNonExtensionScalar(type)) return std::nullopt;
        return dimensions.size();
    }
    Dim dim(size_t i) const {
        if (i >= dimensions.size() || (!zeroIsSize && dimensions[i] == 0)) return std::nullopt;
        return dimensions[i];
    }
    Shape shape() const;
    bool isFullyKnown() const {
        return zeroIsSize ||
               (rank() && std::find(dimensions.begin(), dimensions.end(), 0u) == dimensions.end());
    }

    // Elements, with all dimensions known; empty if the product overflows.
    std::optional<uint64_t> elementCount() const { return checkedProduct<uint64_t>(dimensions); }

    // A dimension during execution, when all are known; 0 for an index beyond the last.
    uint32_t operator[](size_t i) const { return i < dimensions.size() ? dimensions[i] : 0; }

    // The elements of known data; empty if data is unknown.
    template <class E>
    std::span<const E> as() const {
        const auto count = data == nullptr ? std::optional<uint64_t>(0) : elementCount();
        return {reinterpret_cast<const E*>(data.get()), static_cast<size_t>(count.value_or(0))};
    }
    template <class E>
    std::span<E> mutableAs() const {
        const auto count = mutableData == nullptr ? std::optional<uint64_t>(0) : elementCount();
        return {reinterpret_cast<E*>(mutableData.get()), static_cast<size_t>(count.value_or(0))};
    }

    // Per-channel scales, or null.
    const Operand::SymmPerChannelQuantParams* channelQuant() const {
        return extraParams == nullptr
                       ? nullptr
                       : std::get_if<Operand::SymmPerChannelQuantParams>(extraParams);
    }
};

constexpr bool isQuant8Asymm(OperandType type) {
    return type == TENSOR_QUANT8_ASYMM || type == TENSOR_QUANT8_ASYMM_SIGNED;
}

// Receives the reports of an operation. The validator, the interpreter and tests implement it.
class Sink {
   public:
    virtual ~Sink() = default;
    virtual void requireVersion(Version version, std::string_view what) = 0;
    virtual void fail(std::string_view rule, std::string message) = 0;
};

inline constexpr Value kOmitted{.omitted = true};

// The operands of one operation, which seldom has more.
using CallValues = absl::InlinedVector<Value, 8>;

class OpView {
   public:
    // `form` names the operands in messages; null if it is not known yet.
    OpView(OperationType type, std::span<const Value> inputs, std::span<const Value> outputs,
           const Form* form, Sink& sink)
        : mType(type), mInputs(inputs), mOutputs(outputs), mForm(form), mSink(&sink) {}

    OperationType type() const { return mType; }
    size_t inputCount() const { return mInputs.size(); }
    size_t outputCount() const { return mOutputs.size(); }
    const Form* form() const { return mForm; }

    // The i-th operand; an omitted one if there is none.
    const Value& input(size_t i) const { return i < mInputs.size() ? mInputs[i] : kOmitted; }
    const Value& output(size_t i) const { return i < mOutputs.size() ? mOutputs[i] : kOmitted; }

    // Given and not omitted.
    bool has(size_t i) const { return i < mInputs.size() && !mInputs[i].omitted; }

    // The value of a scalar input; empty while it is unknown or of another type. real() reads
    // FLOAT32 and FLOAT16.
    std::optional<int32_t> int32(size_t i) const { return scalar<int32_t>(i, INT32); }
    std::optional<bool> boolean(size_t i) const;
    std::optional<float> real(size_t i) const;

    // The same with a default for an omitted input. Empty only if a present input is unknown.
    std::optional<int32_t> int32Or(size_t i, int32_t fallback) const {
        return has(i) ? int32(i) : fallback;
    }
    std::optional<bool> booleanOr(size_t i, bool fallback) const;

    // The elements of a TENSOR_INT32 input; empty while they are unknown.
    std::optional<std::span<const int32_t>> ints(size_t i) const;

    // True once such elements were requested while unknown: results that follow from them may
    // change only then.
    bool missedInts() const { return mMissedInts; }

    // "input 1 'beta' (operand 17)"
    std::string inputName(size_t i) const;
    std::string outputName(size_t i) const;

    // Reports a formatted message under a rule unless the condition holds, and returns the
    // condition. An argument that can be called is called only on failure, so that names cost no
    // time on success:  op.require(ok, "x.y", "{} has rank {}", op.in(0), rank)
    template <class... Args>
    bool require(bool condition, std::string_view rule, fmt::format_string<const Args&...> format,
                 const Args&... args) const {
        if (condition) [[likely]]
            return true;
        failWith(rule, format, args...);
        return false;
    }

    void requireVersion(Version version, std::string_view what) const {
        mSink->requireVersion(version, what);
    }
    Sink& sink() const { return *mSink; }

    // A name that is composed only when it is printed.
    struct Name {
        const OpView* operation;
        size_t index;
        bool isOutput;
    };
    Name in(size_t i) const { return {this, i, false}; }
    Name out(size_t i) const { return {this, i, true}; }

   private:
    static const Value kOmitted;

    template <class E>
    std::optional<E> scalar(size_t i, OperandType type) const {
        const Value& value = input(i);
        if (value.omitted || value.type != type || value.data == nullptr) return std::nullopt;
        E element{};
        std::memcpy(&element, value.data, sizeof(E));
        return element;
    }

    // Out of line, to keep the accepting path short.
    template <class... Args>
    [[gnu::cold, gnu::noinline]] void failWith(std::string_view rule,
                                               fmt::format_string<const Args&...> format,
                                               const Args&... args) const {
        mSink->fail(rule, fmt::format(format, args...));
    }

    OperationType mType;
    std::span<const Value> mInputs;
    std::span<const Value> mOutputs;
    const Form* mForm;
    Sink* mSink;
    mutable bool mMissedInts = false;
};

// Facts about an operation that the tables cannot hold. Rules report through op.require and
// op.needs, and do not depend on the values of operands.
using Rules = void (*)(const OpView& op);

// Computes the shapes of all outputs, as far as those of the inputs are known, and checks
// everything that needs no data: ranks, matching dimensions, parameter values, tied quantization.
// Unknown sizes stay unknown. False, after a report, if preparing or executing the operation must
// fail.
using InferShapes = bool (*)(const OpView& op, std::span<Shape> outputs);

// The rules of an operation on graphs, see op_support/rules/graph_call.h.
struct GraphCall;
using GraphRules = void (*)(const GraphCall& op);

// All facts about an operation except its arithmetic.
struct OperationSpec {
    OperationType type;
    std::span<const Types> types;
    std::span<const Form> forms;
    std::span<const RuleText> ruleTexts{};  // its rules, without those that all operations share
    Rules rules = nullptr;
    InferShapes inferShapes = nullptr;
    bool allowsZeroSizedInputs = false;  // during execution
    GraphRules graphRules = nullptr;     // replaces all other checks, for IF and WHILE
};

// The spec of an operation; null for extensions, OEM_OPERATION and codes without a name.
const OperationSpec* specOf(OperationType type);

}  // namespace nn::ops

// Names and enumerators of the library print as text in messages. (fmt/core.h does not define the
// formatting of strings with width and fill, but compiles much faster than fmt/format.h.)
template <>
struct fmt::formatter<nn::ops::OpView::Name> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    template <class Context>
    auto format(const nn::ops::OpView::Name& name, Context& context) const {
        const std::string text = name.isOutput ? name.operation->outputName(name.index)
                                               : name.operation->inputName(name.index);
        return std::copy(text.begin(), text.end(), context.out());
    }
};

template <class E>
requires std::is_enum_v<E> && requires(E value) { nn::toString(value).size(); }
struct fmt::formatter<E> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    template <class Context>
    auto format(E value, Context& context) const {
        const std::string text = nn::toString(value);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
