// A third opinion on an operation: what the device of XNNPACK makes of it.
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

// `known` has the values of the operands of the main graph. Inputs that have a value become inputs
// of the new model; with `asConstants` all but the first of them become constants, as XNNPACK wants
// its weights. `outputs` are the results, of which only the dimensions are read. Empty for an
// operation with graphs or without an input.
std::optional<SingleOperation> singleOperation(const Model& model, const Operation& operation,
                                               std::span<const Tensor> known, bool asConstants,
                                               std::span<const Tensor> outputs);

// What XNNPACK computes; empty where it does not support the operation or was not built in, or
// where an input has subnormal floats, which XNNPACK takes for 0. An error is a failure of the
// device.
std::optional<Result<std::vector<Tensor>>> evaluateByXnnpack(const SingleOperation& single,
                                                             std::span<const Tensor> outputs);

// The first element of an output that differs by more than XNNPACK may be off by.
std::optional<std::string> differenceOfXnnpack(const SingleOperation& single, size_t output,
                                               const Tensor& expected, const Tensor& actual);

}  // namespace nn::oracle
