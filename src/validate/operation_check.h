// Checks one operation: its operands against its signature, and its rules.
#pragma once

#include "opkit/rules/call.h"
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

// Reports the requirements of the operation, or why it is refused; versions of its operands are
// checked elsewhere. Extension operations and OEM_OPERATION are accepted unchecked. IF and WHILE,
// whose operands are graphs, are checked by the caller, which has the model.
//
// Returns the form that the operands match; null after an error, and for operations without a
// signature.
const ops::Form* checkOperation(OperationType type, std::span<const ops::Value> inputs,
                                std::span<const ops::Value> outputs, const Place& place,
                                Report& report);

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

// False, after a report, where an output has more dimensions than the limits allow. Operations can
// add up the ranks of their inputs, so that a chain of them would double it again and again.
bool requireRanks(std::span<const ops::Shape> shapes, const Limits& limits, ops::Sink& sink);

}  // namespace nn
