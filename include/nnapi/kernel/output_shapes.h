// nnapi/kernel/output_shapes.h -- The dimensions of an operation's outputs, from those of its
// inputs.
//
//   const nn::kernel::InputValue inputs[] = {{.dimensions = x}, {.dimensions = filter},
//                                            {.dimensions = bias}, {.data = padding}, ...};
//   nn::Result<std::vector<nn::Dimensions>> outputs =
//           nn::kernel::outputDimensions(operation, model.main.operands, inputs);
//
// The same inference as that of the validator and the interpreter (docs/ops has the shapes of each
// operation). Pure and thread-safe; accepts any operation, operands and values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::kernel {

// The information about an input when an operation executes.
struct InputValue {
    std::span<const uint32_t> dimensions{};  // all known; none for a scalar
    std::span<const uint8_t> data{};         // all elements; may be empty, see below
    bool isOmitted = false;                  // an optional input that is not given
};

// One list for each output, in their order. A dimension of 0 is unknown, or the size 0 of a tensor
// without elements; a tensor with an empty list has an unknown rank. Dimensions that depend on the
// value of an input are unknown if its data is empty: provide the data of scalars, and of lists
// such as the shape of RESHAPE. Outputs of BOX_WITH_NMS_LIMIT and other operations whose size
// depends on the elements of tensors stay unknown.
//     operands  of the graph, by which the operation names its inputs and outputs
//     inputs    one for each input of the operation
// INVALID_ARGUMENT with the rule that is broken, for numbers and sizes that do not match, and for
// IF, WHILE, OEM and extension operations.
Result<std::vector<Dimensions>> outputDimensions(const Operation& operation,
                                                 std::span<const Operand> operands,
                                                 std::span<const InputValue> inputs);

}  // namespace nn::kernel
