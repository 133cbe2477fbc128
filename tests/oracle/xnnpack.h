// A third implementation of an operation: the XNNPACK device.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "oracle/compare.h"

namespace nn::oracle {

// An operation of a main graph as a model of its own.
struct SingleOperation {
    Model model{};
    std::vector<Tensor> inputs{};  // of that model
    bool hasSubnormals = false;    // among the values of the inputs of the operation
};

// `known` has the values of the operands of the main graph. Inputs with a value become inputs of
// the new model; with `asConstants` all but the first of them become constants, since XNNPACK
// requires constant weights. `outputs` are the results; only their dimensions are read. Empty for
// an operation with graphs or without an input.
std::optional<SingleOperation> singleOperation(const Model& model, const Operation& operation,
                                               std::span<const Tensor> known, bool asConstants,
                                               std::span<const Tensor> outputs);

// The XNNPACK result; empty if XNNPACK does not support the operation or was not built in, or if an
// input has subnormal floats, which XNNPACK flushes to 0. An error is a failure of the device.
std::optional<Result<std::vector<Tensor>>> evaluateByXnnpack(const SingleOperation& single,
                                                             std::span<const Tensor> outputs);

// The first element of an output that differs by more than the tolerance for XNNPACK.
std::optional<std::string> differenceOfXnnpack(const SingleOperation& single, size_t output,
                                               const Tensor& expected, const Tensor& actual);

}  // namespace nn::oracle
