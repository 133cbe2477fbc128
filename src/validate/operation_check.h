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

// The operands of one operation after another, as their graph declares them. Keeps its memory from
// one to the next, so that what is there already is not cleared.
class DeclaredOperands {
   public:
    // False where one does not exist; then there are none.
    bool take(const Operation& operation, const Model::Subgraph& subgraph);

    std::span<const ops::Value> inputs() const { return {mValues.data(), mInputs}; }
    std::span<const ops::Value> outputs() const { return {mValues.data() + mInputs, mOutputs}; }

   private:
    absl::InlinedVector<ops::Value, 12> mValues;  // inputs first, and maybe some of before
    size_t mInputs = 0;
    size_t mOutputs = 0;
};

// Reports what the operation needs, or why it is refused; the versions of its operands are not its
// concern. Extension operations and OEM_OPERATION are taken as they are. IF and WHILE, whose
// operands are graphs, are checked by the caller that has the model.
//
// The form that the operands fit; null after an error, and for operations without a signature.
const ops::Form* checkOperation(OperationType type, std::span<const ops::Value> inputs,
                                std::span<const ops::Value> outputs, const Place& place,
                                Report& report);

// The form that an operation has; where it breaks rules, the first that takes so many operands.
// Null where there is none.
const ops::Form* formOf(OperationType type, std::span<const ops::Value> inputs,
                        std::span<const ops::Value> outputs);

// The first form that takes so many operands; null where there is none.
const ops::Form* formByCount(OperationType type, size_t inputs, size_t outputs);

// Infers the shapes of the outputs of an operation that checkOperation has accepted with this form,
// from what is known before execution; no form of IF and WHILE. What would fail then is reported as
// a warning; false in that case.
bool inferOutputShapes(OperationType type, std::span<const ops::Value> inputs,
                       std::span<const ops::Value> outputs, const ops::Form* form,
                       const Place& place, Report& report, std::span<ops::Shape> shapes);

// False, after a report, where an output has more dimensions than the limits allow. Operations can
// add up the ranks of their inputs, so that a chain of them would double it again and again.
bool requireRanks(std::span<const ops::Shape> shapes, const Limits& limits, ops::Sink& sink);

}  // namespace nn
