// The kernels of the device: one function for each operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nnapi/interpreter.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace npu_driver {

class KernelCall;

// Computes one operation: reads the inputs of the call and fills its outputs.
using Kernel = nn::Status (*)(KernelCall& call);

struct KernelRow {
    nn::OperationType type;
    Kernel kernel;
};

// All kernels. The device supports these operations and no others.
std::span<const KernelRow> kernels();

// An operation of a model, ready to execute.
struct Step {
    nn::Operation operation;
    Kernel kernel;
    nn::PreparedModel reference;      // of a model with only this operation
    std::vector<uint32_t> variables;  // the inputs of that model, as operands of the graph
};

// One operation of an execution with the values of its inputs.
class KernelCall {
   public:
    // `values` are those of all operands of the graph.
    KernelCall(const Step& step, const std::vector<nn::Operand>& operands,
               const std::vector<const nn::Tensor*>& values, const nn::OptionalTimePoint& deadline)
        : outputs(step.operation.outputs.size()),
          mStep(step),
          mOperands(operands),
          mValues(values),
          mDeadline(deadline) {}

    // Type, scale, zero point and per-channel scales. `nnapi ops ADD` names the operands of ADD.
    const nn::Operand& inputOperand(size_t i) const { return mOperands[mStep.operation.inputs[i]]; }
    const nn::Operand& outputOperand(size_t i) const {
        return mOperands[mStep.operation.outputs[i]];
    }

    // Dimensions and bytes of an input, be it a variable or a constant; hasNoValue if it is
    // omitted.
    const nn::Tensor& input(size_t i) const { return *mValues[mStep.operation.inputs[i]]; }
    size_t inputCount() const { return mStep.operation.inputs.size(); }

    // The dimensions that the outputs have with these inputs.
    nn::Result<std::vector<nn::Dimensions>> outputDimensions() const;

    // The kernel fills these: dimensions and bytes of each output.
    std::vector<nn::Tensor> outputs;

    // Computes the outputs with the reference interpreter.
    nn::Status computeByReference();

   private:
    const Step& mStep;
    const std::vector<nn::Operand>& mOperands;
    const std::vector<const nn::Tensor*>& mValues;
    const nn::OptionalTimePoint& mDeadline;
};

}  // namespace npu_driver
