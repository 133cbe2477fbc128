// Checks one operation: its operands against its signature, and its rules.
#pragma once

#include <array>

#include "op_support/rules/op_view.h"
#include "validate/report.h"

namespace nn {

// Makes a value an operand as its model declares it. It has had no data.
inline void declare(const Operand& operand, uint32_t index, ops::Value& value) {
    value.type = operand.type;
    value.dimensions = operand.dimensions;
    value.scale = operand.scale;
    value.zeroPoint = operand.zeroPoint;
    value.extraParams = &operand.extraParams;
    value.operand = index;
    value.omitted = operand.lifetime == Operand::LifeTime::NO_VALUE;
}

inline ops::Value declaredValue(const Operand& operand, uint32_t index) {
    ops::Value value;
    declare(operand, index, value);
    return value;
}

// The operands of one operation at a time, as their graph declares them. Reuses its memory without
// clearing it.
class DeclaredOperands {
   public:
    // False if one does not exist; then there are none.
    bool take(const Operation& operation, const Model::Subgraph& subgraph);

    std::span<const ops::Value> inputs() const { return {mValues.data(), mInputs}; }
    std::span<const ops::Value> outputs() const { return {mValues.data() + mInputs, mOutputs}; }

   private:
    absl::InlinedVector<ops::Value, 12> mValues;  // inputs first; may be longer from earlier use
    size_t mInputs = 0;
    size_t mOutputs = 0;
};

// The form and the row of types that the operands of a call fit.
struct Fit {
    const ops::Form* form = nullptr;  // null: none fits
    const ops::Types* row = nullptr;  // null if the operation has no rows
};

// Remembers, for a few types of operations, the fit of the last call that omitted no operand and
// had none that only later versions have: most calls have the same types of operands as an earlier
// one.
class PlainCalls {
   public:
    // The fit of such a call; none if none like it is remembered.
    Fit find(OperationType type, std::span<const ops::Value> inputs,
             std::span<const ops::Value> outputs) const;
    void add(OperationType type, std::span<const ops::Value> inputs,
             std::span<const ops::Value> outputs, const Fit& fit);

   private:
    struct PlainCall {
        OperationType type{};
        Fit fit{};  // none if no call is stored
        uint32_t inputs = 0;
        uint32_t outputs = 0;
        std::array<OperandType, 12> types{};  // inputs first; longer calls are not remembered
    };

    static size_t placeOf(OperationType type) { return static_cast<uint32_t>(type) % kPlaces; }

    static constexpr size_t kPlaces = 8;  // which types share
    std::array<PlainCall, kPlaces> mLast{};
};

// Reports the requirements of the operation, or its errors; versions of its operands are checked
// elsewhere. Extension operations and OEM_OPERATION are accepted unchecked. IF and WHILE, whose
// operands are graphs, are checked by the caller, which has the model.
//
// Returns the form that the operands match; null after an error, and for operations without a
// signature.
//   plain  earlier calls; may be null
const ops::Form* checkOperation(OperationType type, std::span<const ops::Value> inputs,
                                std::span<const ops::Value> outputs, const Place& place,
                                Report& report, PlainCalls* plain = nullptr);

// The form of an operation; if it breaks rules, the first form with these numbers of operands. Null
// if there is none.
const ops::Form* formOf(OperationType type, std::span<const ops::Value> inputs,
                        std::span<const ops::Value> outputs);

// The first form with these numbers of operands; null if there is none.
const ops::Form* formByCount(OperationType type, size_t inputs, size_t outputs);

// Infers the output shapes of an operation that checkOperation accepted with this form, as far as
// known before execution; not for IF and WHILE. If execution would fail, reports a warning and
// returns false.
bool inferOutputShapes(OperationType type, std::span<const ops::Value> inputs,
                       std::span<const ops::Value> outputs, const ops::Form* form,
                       const Place& place, Report& report, std::span<ops::Shape> shapes);

// False, after a report, if an output has more dimensions than the limits allow. Operations can add
// the ranks of their inputs, so that a chain of them would double the rank repeatedly.
bool requireRanks(std::span<const ops::Shape> shapes, const Limits& limits, ops::Sink& sink);

}  // namespace nn
